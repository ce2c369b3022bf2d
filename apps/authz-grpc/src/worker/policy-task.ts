import type { Policy, PolicyCase, UncheckedPolicy } from '../policy/types.ts';

/** What the policy worker is asked. */
export type PolicyTask =
  | { readonly kind: 'validate'; readonly policies: readonly UncheckedPolicy[] }
  | { readonly kind: 'test'; readonly policies: readonly Policy[]; readonly cases: readonly PolicyCase[] };
