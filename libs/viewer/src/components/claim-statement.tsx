import { statement } from '@platform/opinion-fusion';
import { readable, shownValue } from '../format/words.ts';
import type { Claim } from '../model.ts';
import { Sentence } from './sentence.tsx';
import { UserText } from './user-text.tsx';

/** Whether the claim says that its value is not so. */
export function isDenial({ input }: Claim): boolean {
  return !input.target_claim_id && input.valence?.toLowerCase() === 'refutes';
}

/** Whether the claim says that its value is not so, or answers a yes-or-no property with no. */
export function isOpposite({ input }: Pick<Claim, 'input'>): boolean {
  const isNo = /^\s*(false|no|n)\s*$/i.test(input.value);
  return (input.valence?.toLowerCase() === 'refutes') !== isNo;
}

/** What a claim says about its subject, in the words that every pane uses for it; a denial reads `not …`. */
export function ClaimStatement({ claim }: { readonly claim: Claim }) {
  const { input, subject } = claim;
  const about = subject?.name ?? input.subject_id ?? 'an unknown subject';
  const proposition = {
    subject: about,
    predicate: input.predicate,
    value: isDenial(claim) ? 'true' : input.value,
  };
  if (!isOpposite(claim)) return <Sentence parts={statement(proposition)} />;
  return (
    <>
      <UserText text={about} />, <UserText text={readable(input.predicate)} />: {isDenial(claim) && 'not '}
      <UserText text={shownValue(input.value)} class="finding-value" />
    </>
  );
}
