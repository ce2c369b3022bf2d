/** Reading claims from tables, for importers outside the workbench. */
export { guessSourceType } from './guess-source-type.ts';
export { guessMapping, importClaims, readSheet, type ImportedClaims, type Sheet } from './read-claims.ts';
