/** What a warning of repetitions says, for those who mend it or put it in other words. */
export type ToldWarning =
  /** A claim that says what its source said already. Ids. */
  | { readonly kind: 'repeat'; readonly claim: string; readonly kept: string }
  /** Sources that give the same address, quote or publisher and count as independent. Ids. */
  | {
      readonly kind: 'shared_origin';
      readonly actors: readonly string[];
      /** Sources that share it and are not named. */
      readonly more: number;
      readonly what: readonly string[];
      readonly predicate: string;
      readonly subject: string;
      /** Further questions on which they share it. */
      readonly others: number;
    };

const REPEAT = /^Claim `([^`]*)` repeats `([^`]*)` of the same actor and was dropped\.$/;
const SHARED_ORIGIN =
  /^The sources ((?:`[^`]*`, )*`[^`]*`)(?: and (\d+) more)? give the same ([a-z ]+) for what they agree on about `([^`]*)` of `([^`]*)`(?: and on (\d+) more)?, and count as independent;/;

/**
 * Reads the sentence of a warning that claims or sources repeat one another; null for every other warning,
 * and where an id holds a back tick. An id longer than a warning quotes is cut, as it is there. Pure.
 */
export function toldWarning(sentence: string): ToldWarning | null {
  const [, claim, kept] = REPEAT.exec(sentence) ?? [];
  if (claim !== undefined && kept !== undefined) return { kind: 'repeat', claim, kept };
  const shared = SHARED_ORIGIN.exec(sentence);
  if (shared === null) return null;
  const [, named, more = '0', what, predicate, subject, others = '0'] = shared;
  return {
    kind: 'shared_origin',
    actors: named!.slice(1, -1).split('`, `'),
    more: Number(more),
    what: what!.split(' and '),
    predicate: predicate!,
    subject: subject!,
    others: Number(others),
  };
}
