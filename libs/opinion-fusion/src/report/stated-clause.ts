import { AUXILIARIES, QUESTION, THIRD_PERSON } from './predicate-words.ts';
import { isFinite } from './predicate-verbs.ts';

/** What a subject that is a statement itself says, whose property is that it is true. */
export interface Stated {
  /** Its words without quotation marks around them and without its full stop. */
  readonly text: string;
  readonly isQuestion: boolean;
  /** Whether it can stand behind `that`; what cannot is quoted. */
  readonly isClause: boolean;
}

const QUOTED = /^(?:"([^"]*)"|“([^“”]*)”|«([^«»]*)»|„([^„“”]*)[“”])$/u;

/** Whose words these are would change behind “that”. */
const FIRST_PERSON = /^(i|we|my|our|you|your)\b/;

/**
 * A statement as sentences about it hold it: fact checks and annotations bring statements with their full
 * stop as subjects of `is_true`. Null for another property. Pure.
 */
export function statedIn(subject: string, predicate: string): Stated | null {
  if (!isStatement(subject, predicate)) return null;
  const text = withoutStop(subject);
  const isQuestion = text.endsWith('?');
  return { text, isQuestion, isClause: !isQuestion && readsAsClause(text) };
}

/** Whether a subject is a statement itself, whose property is that it is true. Pure. */
export const isStatement = (subject: string, predicate: string): boolean =>
  isOfStatements(predicate) && withoutStop(subject) !== '';

/** A subject in front of the name of its property: a statement stands there without its full stop. Pure. */
export const questionSubject = (subject: string, predicate: string): string =>
  (isOfStatements(predicate) && withoutStop(subject)) || subject;

const isOfStatements = (predicate: string): boolean => /^is[_ ]true$/i.test(predicate.trim());

/** A statement without its full stop, which `U.S.` keeps, and quotation marks around it. Pure. */
function withoutStop(text: string): string {
  const bare = text.trim();
  const quoted = QUOTED.exec(bare)
    ?.slice(1)
    .find((inner) => inner !== undefined);
  if (quoted !== undefined) return withoutStop(quoted);
  return /\p{L}\.\p{L}\.$/u.test(bare) ? bare : bare.replace(/(?<=[^.\s])\s*[.。](?=["”»’']?$)/u, '');
}

function readsAsClause(text: string): boolean {
  const words = text.toLowerCase().split(/\s+/);
  // Of several sentences, and of an exclamation, none stands behind “that”.
  if (/[!?…\n]|[.;:。]\s/u.test(text) || /[!?….;:,]$/.test(text)) return false;
  if (words.some((word) => FIRST_PERSON.test(word))) return false;
  const [first = ''] = words;
  if (QUESTION.test(first) || AUXILIARIES.has(first) || isVerb(first)) return false;
  // “A photo that was altered” is no clause: its verb belongs to “that”.
  const end = words.findIndex((word) => /^(that|who|which)$/.test(word));
  return words.slice(1, end === -1 ? undefined : end).some(isVerb);
}

const isVerb = (word: string) => AUXILIARIES.has(word) || isFinite(word) || THIRD_PERSON.has(word);
