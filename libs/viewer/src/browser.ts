/** The parts with which other pages of the platform draw a judged investigation in a browser. */
export type {
  JudgedInvestigation,
  JudgementChanges,
  JudgementMeta,
  PaneId,
  Presentation,
  VerdictMove,
} from './snapshot.ts';
export { PANE_IDS } from './snapshot.ts';
export { createModel, type Model } from './model.ts';
export { DocumentText } from './quotes/document-text.tsx';
export { workbenchPassage } from './quotes/pinned-quotes.ts';
export { Digest } from './quotes/document-facts.tsx';
export { unguarded } from './format/formula-guard.ts';
export { isRankedClaims, isRankedColumn } from './page/ranked-claims-csv.ts';
export { withWords } from './page/with-words.ts';
export { withComparisons } from './page/with-comparisons.ts';
export { pageSnapshot } from './page/page-snapshot.ts';
export { ChangeCounts } from './changes/change-counts.tsx';
export { ChangedItems, nameOf } from './changes/changed-items.tsx';
export { MoveTable } from './changes/move-table.tsx';
export { Changes } from './panes/audit/changes.tsx';
export { PANES } from './panes/index.ts';
export { MendingContext, type Mending } from './panes/audit/mending.ts';
export { FoldContext } from './components/fold.tsx';
export { Search } from './components/search.tsx';
export { Sentence } from './components/sentence.tsx';
export { guessedFinding } from './panes/overview/guessed-finding.ts';
export { statementOf } from './panes/overview/statement-of.ts';
export { UserText } from './components/user-text.tsx';
export { startDrawer } from './browser/drawer.tsx';
export { count, counted, percent } from './format/numbers.ts';
export { plain, shortened, visible } from './format/text.ts';
export { day, instant } from './format/times.ts';
export {
  capital,
  chanceText,
  likelihoodLabel,
  likelihoodTone,
  placeText,
  questionSubject,
  readable,
  shownValue,
} from './format/words.ts';
export { recordWords } from './format/record-words.ts';
export { slugOf } from './format/slug.ts';
export { embedSnippet } from './card/embed-snippet.ts';
