export { analyze, analyzeAgain, PHASES } from './analyze.ts';
export type { Judgement } from './again/judgement.ts';
export type { AnalyzeOptions, Phase } from './analyze.ts';
export { RELIABILITY_RANGE, SOURCES, UNIDENTIFIED } from './contract/constants.ts';
export { InvalidInvestigation } from './contract/invalid-investigation.ts';
export type { Problem } from './contract/invalid-investigation.ts';
export { quote } from './contract/quote.ts';
export { recordBehind } from './contract/reliability-record.ts';
export { foldWhiteSpace, QUOTE_DIFFERS } from './contract/pinned-source.ts';
export type { Evidence, Opinion } from '@platform/subjective-logic';
export {
  averagingFusion,
  beliefConstraintFusion,
  consensusCompromiseFusion,
  cumulativeFusion,
  epistemicCumulativeFusion,
  evidenceFromOpinion,
  expectedProbability,
  opinionFromEvidence,
  TotalConflict,
  trustDiscount,
  uncertaintyMaximize,
  weightedFusion,
} from '@platform/subjective-logic';
export type { ArgumentationFramework } from '@platform/argumentation';
export {
  completeExtensions,
  groundedExtension,
  preferredExtensions,
  stableExtensions,
} from '@platform/argumentation';
export { conditionsPart, saidUnder } from './report/conditions.ts';
export { andOthers, inWords, othersInWords } from './report/counted-words.ts';
export { denialWords, estimateWords } from './report/denial-words.ts';
export { agePart, ageWords, recentSource } from './report/age-words.ts';
export { supersededWords } from './report/superseded-words.ts';
export { sharedTime, timeAtOdds } from './report/times.ts';
export { resultText } from './report/result-text.ts';
export {
  askedOf,
  clause,
  isCount,
  isRating,
  isYesNo,
  opened,
  readable,
  shortAnswer,
  statement,
  textOf,
} from './report/statements.ts';
export { questionSubject, statedIn } from './report/stated-clause.ts';
export { dateText } from './report/date-words.ts';
export { listed, valueText } from './report/value-words.ts';
export type { Alternative, Part, Proposition } from './report/statements.ts';
export { EVEN, evidenceStrength, likelihoodWord } from './report/likelihood-words.ts';
export { disputeOf, disputeWords, shownStatus } from './report/shown-status.ts';
export {
  byWeight,
  deniedWord,
  disputedWords,
  moreTied,
  isDeniedTie,
  leadingDenial,
  likelierRival,
  decidedFirst,
  namedOfTie,
  summarizeResult,
  tiedValues,
  whereLeading,
  whereSaid,
  unlistedOf,
} from './report/summary.ts';
export type * from './contract/types.ts';
export type { PlacedValue } from './compare/answers.ts';
export {
  answersAndDenials,
  answersOf,
  isCut,
  meets,
  pairedAnswers,
  regionOf,
  tiedIn,
  withAllValues,
} from './compare/answers.ts';
export { isTurned, movesBetween } from './compare/answer-moves.ts';
export type { AnswerMove, ComparedVerdict, JudgedVerdicts, MovedAnswer } from './compare/answer-moves.ts';
export { compareJudgements } from './compare/compare-judgements.ts';
export type {
  ComparedJudgement,
  JudgementComparison,
  MovePart,
  VerdictMove,
} from './compare/compare-judgements.ts';
export type { ItemChange, SaidAnswer, SaidPlace } from './compare/input-changes.ts';
export { readApart } from './outcomes/read-apart.ts';
export { forecastOf, NEITHER_YES_NOR_NO, NO_CLAIM_THERE, NOTHING_TO_SCORE } from './outcomes/forecast.ts';
export type { Forecast, OutcomePlace, ResolvedQuestion, ResolvedStatement } from './outcomes/forecast.ts';
export { answerOf, likelierPart, type LikelierPart } from './outcomes/answer-of.ts';
export { bins, score, squaredError } from './outcomes/scores.ts';
export type { Bin, CheckedChance, Scores } from './outcomes/scores.ts';
export { reliabilityPosterior } from './model/reliability-posterior.ts';
export { isSameValue, saysTheSame } from './model/same-value.ts';
export { caseFolded, nearSpellings } from './model/spellings.ts';
export { auditClaims } from './explain/audit-claims.ts';
export { staleCounts } from './verdict/stale-counts.ts';
export type { StaleCounts } from './verdict/stale-counts.ts';
export { explain, explainAll, explainAndAudit } from './explain/explain.ts';
export type { ExplainOptions, ExplainPairOptions } from './explain/explain.ts';
export type * from './explain/explanation.ts';
export { areWithdrawn, whereExplained } from './explain/explained-answer.ts';
export { isOtherwise, leadsOther, noneWouldLead } from './explain/leads-other.ts';
export { leadingOf } from './verdict/leading-of.ts';
export { withoutDistinctions } from './explain/without-distinctions.ts';
export type { WithoutDistinction } from './explain/without-distinctions.ts';
export { FACTORS, OUTCOMES, ROUTES } from './explain/explanation.ts';
export type { Field, FieldKind, ObjectName } from './contract/fields.ts';
export { OBJECTS } from './contract/fields.ts';
export { knownFields } from './contract/known-fields.ts';
export type { UsedField } from './contract/known-fields.ts';
export { toldWarning } from './contract/told-warning.ts';
export type { ToldWarning } from './contract/told-warning.ts';
export { groupWarnings } from './contract/warning-groups.ts';
export { misspelled } from './contract/unknown-word.ts';
export { nameMeantBy } from './contract/other-names.ts';
export { isWebAddress } from './contract/web-address.ts';
export { checkStored } from './report/check-stored.ts';
export { canonicalWord, checkInput, unknownFieldWarnings, validateShape } from './contract/validate.ts';
export * from './contract/vocabulary.ts';
