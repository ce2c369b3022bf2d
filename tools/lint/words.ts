/** A word that must not come back, and its replacement. */
export interface WordRule {
  readonly pattern: RegExp;
  readonly instead: string;
}

/** The short list behind docs/writing.md: what a reader stops at, and spellings that are British. */
const WORD_RULES: readonly WordRule[] = [
  { pattern: /\b(?:he|him|his|himself)\b/i, instead: 'they, the caller, the client, the user' },
  { pattern: /\bwho(?:so)?ever\b/i, instead: 'the caller, anyone who, no matter who' },
  {
    pattern: /\b(?:is|are|was|were|be|been|while|when|goe?s?|went|gone|going|with \S+) away\b/i,
    instead: 'unavailable',
  },
  { pattern: /\bbeside (?:what|those|these)\b/i, instead: 'besides, next to' },
  { pattern: /\bfor want of\b/i, instead: 'for lack of, without' },
  { pattern: /\bgoes on\b/i, instead: 'continues, keeps serving, stays open' },
  { pattern: /\bis no news\b/i, instead: 'what the reader knows already, or nothing' },
  {
    pattern:
      /\b(?:that|which|what|whatever) (?:is|are) no (?!longer|more|less|such|other|larger|wider)[a-z]/i,
    instead: 'that is not a',
  },
  { pattern: /\b(?:says?|tells?) of\b/i, instead: 'about' },
  {
    pattern:
      /\banswer(?:s|ed)? (?:is |are |with |by )*[1-5]\d\d\b(?!,\d)|(?<![-\w])(?:lost|HTTP|gRPC|REST) answers?\b|\banswer(?:s|ed|ing)? (?:an? |the |every |any )?requests?\b/i,
    instead: 'response; returns, responds to',
  },
  {
    pattern: /\blicence|behaviour|\bserialis|neighbour|\banalys(?:e|ed|ing|able)\b/i,
    instead: 'the American spelling',
  },
];

/** What a line breaks: the word found and what to write in its place; empty when it is in order. */
export function wordsAgainst(line: string): string[] {
  return WORD_RULES.flatMap(({ pattern, instead }) => {
    const found = pattern.exec(line);
    return found ? [`\`${found[0]}\`: write ${instead}`] : [];
  });
}
