import { checkStored, quote } from '@platform/opinion-fusion';
import type { EntityRef } from '../model/entity.ts';

/** Problems and warnings that one response names. */
const WARNINGS_MAX = 20;

/**
 * What keeps the payload of a session from being judged, and what judging at `now` would warn of before it
 * weighs anything. Sentences, at most WARNINGS_MAX and a count. With `item` those about what it refers to and
 * about its names, without those about its form.
 */
export function payloadWarnings(payload: string, now: Date, item?: EntityRef): string[] {
  const input = JSON.parse(payload) as Readonly<Record<string, unknown>>;
  const { problems, total, warnings, cautions } = checkStored(input, now);
  const sentenceOf = ({ path, message }: (typeof problems)[number]) => `${path}: ${message}`;
  if (item === undefined)
    return firstWarnings([...problems.map(sentenceOf), ...warnings, ...cautions], total - problems.length);
  const list = (input[item.kind] ?? []) as readonly Item[];
  const at = list.findIndex(({ id }) => id === item.id);
  if (at === -1) return [];
  const { id, predicate, scope, competence } = list[at]!;
  const names = [id, predicate, scope, ...Object.keys(competence ?? {})].filter((name) => name).map(quote);
  return firstWarnings([
    ...problems.filter(({ path }) => path.startsWith(`${item.kind}[${at}]`)).map(sentenceOf),
    ...cautions.filter((sentence) => names.some((name) => sentence.includes(name))),
  ]);
}

interface Item {
  readonly id: string;
  readonly predicate?: string;
  readonly scope?: string | null;
  readonly competence?: Readonly<Record<string, number>> | null;
}

/** The first WARNINGS_MAX of some warnings, and how many more there are with `unlisted` ones. */
export function firstWarnings(all: readonly string[], unlisted = 0): string[] {
  const left = unlisted + Math.max(0, all.length - WARNINGS_MAX);
  return [...all.slice(0, WARNINGS_MAX), ...(left > 0 ? [`and ${left} more: validate the session`] : [])];
}
