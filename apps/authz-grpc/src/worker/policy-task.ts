import type { PackedChecks } from '../model/packed-checks.ts';
import type { PolicyChange } from '../policy/compare-sets.ts';
import type { Policy, PolicyCase, UncheckedPolicy } from '../policy/types.ts';

/** What the policy worker is asked. */
export type PolicyTask =
  | { readonly kind: 'validate'; readonly policies: readonly UncheckedPolicy[] }
  | { readonly kind: 'test'; readonly policies: readonly Policy[]; readonly cases: readonly PolicyCase[] }
  | { readonly kind: 'compare'; readonly change: PolicyChange }
  | {
      readonly kind: 'replay';
      /** Names the replay, so that a thread that knows it need not be sent its sets again. */
      readonly id: string;
      /** Null for a thread that may know it; one that does not replies with null. */
      readonly change: PolicyChange | null;
      readonly checks: PackedChecks;
    };
