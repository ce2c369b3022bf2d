import { canonicalWord, VALENCES, type Valence } from '@platform/opinion-fusion';

/** Headings that ask whether a claim denies, folded to their letters. */
export const DENIAL_HEADINGS: readonly string[] = [
  'deniesit',
  'denies',
  'denied',
  'isdenied',
  'isitdenied',
  'deny',
  'denial',
  'refutes',
];

const YES = /^(y|yes|yeah|yep|true|t|1|x|✓|✔\ufe0f?|☑\ufe0f?|✅|ja|oui|s[ií]|sim|tak|да)$/iu;
const NO = /^(n|no|nope|false|f|0|nein|nee|nej|nei|non|n[ãa]o|nie|нет|☐)$/iu;
const DENIES =
  /^(den(y|ies|ied)|refut(e|es|ed)|reject(s|ed)?|contradict(s|ed)?|disagree(s|d)?|against|contra)$/iu;
const AFFIRMS = /^(affirm(s|ed)?|confirm(s|ed)?|support(s|ed)?|agree(s|d)?|assert(s|ed)?|for|pro)$/iu;

/**
 * Whether a claim is for or against what it is about, as the words of a cell say it; undefined for words that
 * leave a doubt. A yes or no is one where the column does not ask whether the claim denies. Pure.
 */
export function valenceNamed(text: string, asksDenial: boolean): Valence | undefined {
  const word = text.trim();
  const named = canonicalWord(VALENCES, word);
  if (named !== undefined) return named;
  if (DENIES.test(word) || (asksDenial && YES.test(word))) return 'Refutes';
  if (AFFIRMS.test(word) || (asksDenial && NO.test(word))) return 'Supports';
  return undefined;
}

/** What to do about a cell whose words do not say whether its claim denies. */
export const valenceAdvice = (asksDenial: boolean): string =>
  asksDenial
    ? 'is neither yes nor no: write “yes” where the source denies it and “no” where not'
    : 'does not say whether the source is for or against it: write “for” or “against”, or name the column “Denies it” and write yes or no';
