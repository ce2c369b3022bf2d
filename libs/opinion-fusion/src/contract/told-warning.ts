/** What a warning of repetitions and changes says, for those who mend it or put it in other words. */
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
    }
  /** A source that says later what contradicts what it said before. Ids. */
  | {
      readonly kind: 'contradicts_itself';
      readonly actor: string;
      readonly predicate: string;
      readonly subject: string;
      readonly claims: readonly string[];
      /** Claims of it that are not named. */
      readonly more: number;
    }
  /** A question whose claims have lost most of their weight with age. Ids. */
  | {
      readonly kind: 'faded';
      /** In words, in percent: `3` or `less than 1`. */
      readonly left: string;
      readonly predicate: string;
      readonly subject: string;
      /** Claims older than two half-lives. */
      readonly old: number;
    };

const REPEAT = /^Claim `([^`]*)` repeats `([^`]*)` of the same actor and was dropped\.$/;
const CONTRADICTS =
  /^The source `([^`]*)` contradicts itself on `([^`]*)` of `([^`]*)` at different times \(claims ((?:`[^`]*`, )*`[^`]*`)(?: and (\d+) more)?\)/;
const FADED =
  /^Age has left (less than 1|\d+) % of the weight of the claims on `([^`]*)` of `([^`]*)`; (\d+) of them/;
const SHARED_ORIGIN =
  /^The sources ((?:`[^`]*`, )*`[^`]*`)(?: and (\d+) more)? give the same ([a-z ]+) for what they agree on about `([^`]*)` of `([^`]*)`(?: and on (\d+) more)?, and count as independent;/;

/**
 * Reads the sentence of a warning that claims or sources repeat one another, that a source contradicts
 * itself, or that claims have faded; null for every other warning, and where an id holds a back tick. An id
 * longer than a warning quotes is cut, as it is there. Pure.
 */
export function toldWarning(sentence: string): ToldWarning | null {
  const [, claim, kept] = REPEAT.exec(sentence) ?? [];
  if (claim !== undefined && kept !== undefined) return { kind: 'repeat', claim, kept };
  const [, actor, on, of, own, further = '0'] = CONTRADICTS.exec(sentence) ?? [];
  if (actor !== undefined)
    return {
      kind: 'contradicts_itself',
      actor,
      predicate: on!,
      subject: of!,
      claims: namesIn(own!),
      more: Number(further),
    };
  const [, left, faded, about, old] = FADED.exec(sentence) ?? [];
  if (left !== undefined)
    return { kind: 'faded', left, predicate: faded!, subject: about!, old: Number(old) };
  const shared = SHARED_ORIGIN.exec(sentence);
  if (shared === null) return null;
  const [, named, more = '0', what, predicate, subject, others = '0'] = shared;
  return {
    kind: 'shared_origin',
    actors: namesIn(named!),
    more: Number(more),
    what: what!.split(' and '),
    predicate: predicate!,
    subject: subject!,
    others: Number(others),
  };
}

const namesIn = (list: string) => list.slice(1, -1).split('`, `');
