import { claimFragment } from '../format/fragments.ts';
import type { Claim } from '../model.ts';
import { UserText } from './user-text.tsx';

/** A link to a claim's record, by its id where there are no words: its drawer where scripts run, its row of the audit pane where they do not. */
export function ClaimLink({ claim, text = claim.id }: { readonly claim: Claim; readonly text?: string }) {
  return (
    <a class="claim-link" href={`#${claimFragment(claim.id)}`}>
      <UserText text={text.trim() === '' ? claim.id : text} />
    </a>
  );
}
