export {
  compileBundle,
  needsRegexes,
  type Attributes,
  type BundlePolicies,
  type Refusal,
  type Verdict,
} from './bundle-policies.ts';
export {
  BundleError,
  signedText,
  verifyBundle,
  type Bundle,
  type BundledDomain,
  type BundleKey,
  type BundleRefusal,
} from './bundle.ts';
export { canonicalJson } from './canonical-json.ts';
export {
  checkAttributes,
  CONTEXT_BYTES_MAX,
  CONTEXT_KEYS_MAX,
  CONTEXT_VALUES_MAX,
  ContextFault,
  readCheckContext,
  readValues,
  USER_ATTRIBUTE_PREFIX,
  type CheckContext,
} from './check-context.ts';
export {
  combineDomains,
  compileDomain,
  compileDomainInSteps,
  compilePolicySet,
  type CompiledDomain,
  type CompileOptions,
} from './compile.ts';
export { openDecider, type Decider, type DeciderOptions, type DeciderStatus } from './decider.ts';
export type * from './types.ts';
export type { RegexMemo, Step } from './regex-memo.ts';
