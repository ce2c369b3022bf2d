import { withdrawnStatus } from '../format/words.ts';
import type { Claim } from '../model.ts';

/** Says that a claim was taken back or replaced, wherever its words stand; nothing for every other claim. */
export function WithdrawnFlag({ claim }: { readonly claim: Claim }) {
  const status = withdrawnStatus(claim);
  return status && <span class="flag">{status}</span>;
}
