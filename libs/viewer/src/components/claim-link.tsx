import { claimFragment } from '../format/fragments.ts';
import { shortened } from '../format/text.ts';
import type { Claim } from '../model.ts';
import { useHref } from './part.tsx';
import { UserText } from './user-text.tsx';

const WORDS_LENGTH = 90;

interface Props {
  readonly claim: Claim;
  /** The claim's own words unless given. */
  readonly text?: string;
}

/** The claim's own words, as long as a row can show. */
export const claimWords = ({ input }: Claim): string => shortened(input.content, WORDS_LENGTH);

/**
 * A link to a claim's record: its drawer where scripts run, its row of the audit pane where they do not. A
 * claim without words is named by its id.
 */
export function ClaimLink({ claim, text = claimWords(claim) }: Props) {
  const href = useHref();
  return (
    <a class="claim-link" href={href(claimFragment(claim.id))}>
      <UserText text={text.trim() === '' ? claim.id : text} />
    </a>
  );
}
