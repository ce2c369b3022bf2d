/** Reading claims from tables and adding what was read, for importers outside the workbench. */
export { decodeText } from '../browser/file-text.ts';
export { nameKey } from '../edit/directory.ts';
export { nameOf } from '../edit/kinds.ts';
export { comparable } from '../files/field-values.ts';
export type { ItemLists } from '../files/item-lists.ts';
export { itemsToMerge } from '../files/merge-items.ts';
export { asOne, differingNamesakes, isOne, namesakesOf, putBack, type Namesake } from '../files/namesakes.ts';
export { apartFromClaims, supersededWords, withSuperseded } from '../files/object-versions.ts';
export { firstOf, quoted, replacedItems, replacedWords } from '../files/replaced-items.ts';
export { nearSpelled, spellingWords } from '../files/near-spelled.ts';
export { restatedClaims, standingClaim } from '../files/standing-claims.ts';
export { dependsOnOrder, readDate, type DateOrder } from './read-dates.ts';
export { guessSourceType } from './guess-source-type.ts';
export { lostTargets } from './lost-targets.ts';
export { DATE_FIELDS, guessMapping, TYPE_COLUMNS, whyNoColumn } from './mapping.ts';
export { importClaims, type ImportedClaims, type RowProblem } from './read-claims.ts';
export { readNumber, type DecimalMark } from './read-numbers.ts';
export { cellKey, numberKey, readSheet, type Sheet } from './sheet.ts';
