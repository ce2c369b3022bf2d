/** Parts of the evaluator, for what works on the same policies: validation, searches, plans, comparisons. */
export { CombinedDomains } from './compile.ts';
export { parseGlob } from './glob.ts';
export { unresolvedIn, type ReadyPolicy } from './explain.ts';
export { expand, readTemplate, resolveMacros, type MacroValues, type TemplatePart } from './macros.ts';
export { startCheck, testStatement } from './policy-index.ts';
export {
  compileRule,
  createRuleCompiler,
  isResolved,
  RuleError,
  testRule,
  type CheckState,
  type Rule,
} from './rule.ts';
export { PAUSED, throughPauses, type RegexMemo, type Step } from './regex-memo.ts';
export { MACRO_BYTES_MAX, type DomainRegexes, type LiteralKind } from './regexes.ts';
