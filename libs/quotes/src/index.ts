export { anchorQuote } from './anchor.ts';
export type { Anchoring, Candidate } from './anchor.ts';
export { IndexedText } from './indexed-text.ts';
export { occurrencesOf } from './occurrences.ts';
export { selectPassage, selectPassages } from './selector.ts';
export { placesAsTyped, placesAsTypedIn } from './typed-words.ts';
export { isWhole } from './whole-words.ts';
