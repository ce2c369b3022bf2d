import { claimFragment } from '../format/fragments.ts';
import { shortened } from '../format/text.ts';
import type { Claim } from '../model.ts';
import { useHref } from './part.tsx';
import { UserText } from './user-text.tsx';

const WORDS_LENGTH = 90;
/** A full stop at the end of a text that is not an ellipsis. */
const FULL_STOP = /(?<!\.)\.\s*$/;

interface Props {
  readonly claim: Claim;
  /** The claim's own words unless given. */
  readonly text?: string;
  /** The sentence continues after the link, and has a full stop of its own. */
  readonly isInSentence?: boolean;
}

/**
 * A link to a claim's record: its drawer where scripts run, its row of the audit pane where they do not. A
 * claim without words is named by its id.
 */
export function ClaimLink({
  claim,
  text = shortened(claim.input.content, WORDS_LENGTH),
  isInSentence = false,
}: Props) {
  const href = useHref();
  const words = isInSentence ? text.replace(FULL_STOP, '') : text;
  return (
    <a class="claim-link" href={href(claimFragment(claim.id))}>
      <UserText text={words.trim() === '' ? claim.id : words} />
    </a>
  );
}
