import { ENTITY_FAMILIES } from '../../wire/entity-kinds.ts';
import type { ChangedItem } from '../../store/session-store.ts';

/** What an item is about. */
const ABOUT = [
  'name',
  'actor_id',
  'subject_id',
  'predicate',
  'target_claim_id',
  'claim_id',
  'argument_a',
  'argument_b',
] as const;
/** What shows an item best, the first that it has. */
const SHOWN = ['value', 'name', 'content', 'description', 'feature'] as const;

const NAMED_MAX = 5;
const TEXT_LENGTH = 80;

type Item = Readonly<Record<string, unknown>>;

/**
 * A warning that names the items which a change replaced by others: a caller that numbers new items without
 * having read the last ones meets their ids. Pure.
 */
export function otherItemWarnings(changed: readonly ChangedItem[]): string[] {
  const others = changed.flatMap(({ kind, was, now }) => {
    const [before, after] = [JSON.parse(was) as Item, JSON.parse(now) as Item];
    return isOther(before, after) ? [{ kind, before }] : [];
  });
  if (others.length === 0) return [];
  const named = others.slice(0, NAMED_MAX).map(({ kind, before }) => {
    const { entity } = ENTITY_FAMILIES.find((family) => family.kind === kind)!;
    return `${entity} \`${String(before['id'])}\` was ${described(before)}`;
  });
  const more = others.length > named.length ? `; and ${others.length - named.length} more` : '';
  return [
    `Replaced by another one: ${named.join('; ')}${more}. Where both are meant, give the new one a new id and add the old one again.`,
  ];
}

/** Whether an item is about something else and in other words: with one of both it is corrected. */
const isOther = (before: Item, after: Item): boolean =>
  ABOUT.some((field) => (before[field] ?? null) !== (after[field] ?? null)) &&
  (before['content'] === undefined || before['content'] !== after['content']);

function described(item: Item): string {
  const texts = SHOWN.map((field) => item[field]).filter((value) => typeof value === 'string');
  const text = [...(texts[0] ?? '')];
  const shown = text.length > TEXT_LENGTH ? `${text.slice(0, TEXT_LENGTH).join('')}…` : text.join('');
  const named = (word: string, field: string) =>
    typeof item[field] === 'string' ? ` ${word} \`${item[field]}\`` : '';
  return `“${shown}”${named('by', 'actor_id')}${named('on', 'predicate')}${named('of', 'subject_id')}`;
}
