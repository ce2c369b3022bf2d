import type { ClaimInput } from '@platform/opinion-fusion';
import { answerWord } from '../format/words.ts';
import type { Claim } from '../model.ts';
import { Sentence } from './sentence.tsx';

/** Whether the claim says that its value is not so. */
export function isDenial({ input }: { readonly input: ClaimInput }): boolean {
  return !input.target_claim_id && input.valence?.toLowerCase() === 'refutes';
}

/** Whether the claim says that its value is not so, or answers a yes-or-no property with no. */
export function isOpposite({ input }: Pick<Claim, 'input'>): boolean {
  const isNo = /^\s*(false|no|n)\s*$/i.test(input.value);
  return (input.valence?.toLowerCase() === 'refutes') !== isNo;
}

/** Whether a claim's value is yes or no. */
export const saysYesOrNo = ({ input: { value } }: Pick<Claim, 'input'>): boolean =>
  /^(yes|no)$/.test(answerWord(value));

/** The answer that a claim gives: `no` of one that denies a yes, and else its value. */
export const answerOfClaim = (claim: Pick<Claim, 'input'>): string =>
  saysYesOrNo(claim) ? (isOpposite(claim) ? 'no' : 'yes') : answerWord(claim.input.value);

/** What a claim says about its subject as a sentence, in the words that every pane uses for it. */
export function ClaimStatement({ claim }: { readonly claim: Claim }) {
  return <Sentence parts={claim.statement} />;
}
