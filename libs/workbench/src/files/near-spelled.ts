import { nearSpellings } from '@platform/opinion-fusion';
import type { Entity } from '../edit/kinds.ts';
import type { ItemLists } from './item-lists.ts';
import { firstOf, quoted } from './replaced-items.ts';

/** The fields that are compared exactly, with the lists whose items have them, and what a user calls them. */
const FIELDS = [
  { field: 'predicate', kinds: ['claims', 'inferences'], noun: 'property' },
  { field: 'scope', kinds: ['claims'], noun: 'scope' },
] as const;

/** Spellings of one property or scope by which one question is judged as several. */
export interface Spellings {
  readonly field: 'predicate' | 'scope';
  readonly noun: string;
  /** The spelling that is there, else the most frequent one, else the first. */
  readonly use: string;
  /** The other spellings that are added. */
  readonly others: readonly string[];
  /** The items that are spelled in one of the others. */
  readonly items: readonly Entity[];
}

/**
 * Properties and scopes of what is added that a judgement would warn of as nearly the same, among themselves
 * or with those of what is there. Pure.
 */
export function nearSpelled(added: ItemLists, there: ItemLists = {}): Spellings[] {
  return FIELDS.flatMap(({ field, kinds, noun }) => {
    const named = (lists: ItemLists, without: ItemLists = {}) =>
      kinds.flatMap((kind) => {
        const ids = new Set((without[kind] ?? []).map(({ id }) => id));
        return (lists[kind] ?? []).filter((item) => nameIn(item, field) !== '' && !ids.has(item.id));
      });
    const news = named(added);
    const count = countsOf(news.map((item) => nameIn(item, field)));
    const countThere = countsOf(named(there, added).map((item) => nameIn(item, field)));
    return nearSpellings([...countThere.keys(), ...count.keys()]).flatMap((group): Spellings[] => {
      const use = mostFrequent(group, countThere) ?? mostFrequent(group, count)!;
      const others = new Set(group.filter((name) => name !== use && count.has(name)));
      const items = news.filter((item) => others.has(nameIn(item, field)));
      return others.size === 0 ? [] : [{ field, noun, use, others: [...others], items }];
    });
  });
}

/** The items with the spellings chosen; an item that has no other one is the same object. Pure. */
export function respelled<Lists extends ItemLists>(lists: Lists, chosen: readonly Spellings[]): Lists {
  if (chosen.length === 0) return lists;
  const uses = new Map<string, string>();
  for (const { field, others, use } of chosen) for (const name of others) uses.set(`${field} ${name}`, use);
  const spelling = (field: string, name: string) => uses.get(`${field} ${name}`) ?? name;
  const after = Object.entries(lists).map(([kind, items]) => [
    kind,
    items.map((item) => {
      const changes = FIELDS.flatMap(({ field, kinds }): [string, unknown][] => {
        const name = nameIn(item, field);
        const next = kinds.some((one) => one === kind) ? spelling(field, name) : name;
        return next === name ? [] : [[field, next]];
      });
      const competence = kind === 'actors' && competenceAfter(item, (name) => spelling('predicate', name));
      if (competence) changes.push(['competence', competence]);
      return changes.length === 0 ? item : { ...item, ...Object.fromEntries(changes) };
    }),
  ]);
  return Object.fromEntries(after) as Lists;
}

/** The competence of a source by properties as they are spelled now; null where it has the same names. */
function competenceAfter({ competence }: Entity, spelling: (name: string) => string): object | null {
  if (typeof competence !== 'object' || competence === null) return null;
  const names = Object.keys(competence);
  const counts = countsOf(names.map(spelling));
  const next = Object.entries(competence).map(([name, share]: [string, unknown]) => {
    const spelled = spelling(name);
    return [counts.get(spelled) === 1 ? spelled : name, share] as const;
  });
  return next.every(([name], at) => name === names[at]) ? null : Object.fromEntries(next);
}

/** `3 spellings of one property, “a”, “A” (…), are judged apart`; `where` says where they stand. */
export function spellingWords({ noun, use, others }: Spellings, where: string, quote = quoted): string {
  const named = firstOf([use, ...others], quote);
  return `${others.length + 1} spellings of one ${noun}, ${named} (${where}), are judged apart`;
}

const nameIn = (item: Entity, field: string) => {
  const name = item[field];
  return typeof name === 'string' ? name : '';
};

function countsOf(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

/** The first of the most frequent names; undefined where none is counted. */
const mostFrequent = (names: readonly string[], count: ReadonlyMap<string, number>) =>
  names.filter((name) => count.has(name)).toSorted((a, b) => count.get(b)! - count.get(a)!)[0];
