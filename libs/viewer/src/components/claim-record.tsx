import type { Claim, Model } from '../model.ts';
import { UserParagraphs, UserText } from './user-text.tsx';

interface Props {
  readonly claim: Claim;
  readonly model: Model;
  readonly headingId: string;
}

/** A claim in full: its words, its source, its times, its evidence, its opinion, and why it weighs what it weighs. */
export function ClaimRecord({ claim, headingId }: Props) {
  return (
    <article class="claim-record">
      <h3 id={headingId}>
        <UserText text={claim.id} />
      </h3>
      <UserParagraphs text={claim.input.content} />
    </article>
  );
}
