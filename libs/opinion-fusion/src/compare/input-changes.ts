import type { InvestigationInput } from '../contract/types.ts';
import { validate } from '../contract/validate.ts';
import { Warnings } from '../contract/warnings.ts';
import { ENTITY_KINDS, type EntityKind } from '../contract/vocabulary.ts';
import { statement, textOf } from '../report/statements.ts';
import { whereSaid } from '../report/summary.ts';
import { differenceWords } from './difference-words.ts';

/** The scope and the time in which something is said, as written; absent where nothing names them. */
export interface SaidPlace {
  readonly scope?: string;
  readonly event_start_time?: string;
  readonly event_end_time?: string;
}

/** What a claim answers to its question. */
export interface SaidAnswer extends SaidPlace {
  readonly value?: string;
  /** Present where the claim denies its value. */
  readonly valence?: 'Refutes';
}

/** One item that came, went or was replaced; of a claim with what it answers, of removed ones as it was. */
export interface ItemChange extends SaidAnswer {
  readonly change: 'added' | 'removed' | 'replaced';
  readonly kind: EntityKind;
  readonly id: string;
  /** Of claims: the question and who answers it. */
  readonly subject_id?: string;
  readonly predicate?: string;
  readonly actor_id?: string;
  /** Of a replaced claim, the value that it had, where it has another. */
  readonly value_before?: string;
  /** Of a replaced claim, what it answered, where that differs in value, denial, scope or time. */
  readonly said_before?: SaidAnswer;
  /** Of a replaced item, the names of the fields that differ, sorted. */
  readonly fields?: readonly string[];
  /** The name or words by which people know the item, of a claim those of its source; shortened. */
  readonly name?: string;
  /**
   * Of a claim, what it says, with scope and time: `“Wages fell” is rated Misleading`; of one about a claim,
   * `disputes what Ann says`.
   */
  readonly statement?: string;
  /** Of a replaced item, how it differs besides what a claim answers: `was withdrawn`, `weight 0.5 → 0.9`. */
  readonly differences?: readonly string[];
}

export interface InputChanges {
  /** Added and replaced ones, what others refer to first; then removed ones, what refers to others first. */
  readonly items: readonly ItemChange[];
  /** Names of the settings that differ, `research_question` among them. */
  readonly settings: readonly string[];
}

/** Kinds by what they refer to: each only to kinds before it, or to its own. */
const BY_REFERENCE: readonly EntityKind[] = [
  'actors',
  'subjects',
  'claims',
  'evidence',
  'inferences',
  'distinctions',
];
/** Fields of the input that are not settings. */
const NO_SETTINGS = new Set<string>(['summary_mode', ...ENTITY_KINDS]);
/** The setting that no verdict depends on. */
export const QUESTION_SETTING = 'research_question';

/**
 * What differs between two inputs, each read as an analysis reads it, so that another spelling of a word is
 * no change. Items are the same when their JSON is, whatever the order of their keys.
 */
export function changesBetween(earlier: InvestigationInput, later: InvestigationInput): InputChanges {
  const [before, after] = [validate(earlier, new Warnings()), validate(later, new Warnings())];
  const [was, is] = [before, after] as unknown as [Record<string, unknown>, Record<string, unknown>];
  const names = new Set([...Object.keys(was), ...Object.keys(is)]);
  const settings = [...names].filter(
    (name) => !NO_SETTINGS.has(name) && canonical(was[name] ?? null) !== canonical(is[name] ?? null),
  );
  const sides = BY_REFERENCE.map((kind) => [kind, itemsOf(before, kind), itemsOf(after, kind)] as const);
  const [wordsBefore, words] = [wordsIn(before), wordsIn(after)];
  const came = sides.flatMap(([kind, old, fresh]) =>
    [...fresh].flatMap(([id, item]): ItemChange[] => {
      const past = old.get(id);
      if (past === undefined) return [{ change: 'added', kind, id, ...saidBy(kind, item, words) }];
      if (canonical(past) === canonical(item)) return [];
      const fields = Object.keys({ ...past, ...item }).filter(
        (name) => canonical(past[name] ?? null) !== canonical(item[name] ?? null),
      );
      const said = kind === 'claims' ? saidBefore(past, item) : {};
      const told = fields.filter((name) => !isSaidBefore(kind, item, name));
      const differences = told.map((name) => differenceWords(name, past, item));
      return [
        {
          change: 'replaced',
          kind,
          id,
          ...saidBy(kind, item, words),
          ...said,
          fields: fields.toSorted(),
          ...(differences.length > 0 && { differences: differences.toSorted() }),
        },
      ];
    }),
  );
  const went = sides
    .toReversed()
    .flatMap(([kind, old, fresh]) =>
      [...old].flatMap(([id, item]): ItemChange[] =>
        fresh.has(id) ? [] : [{ change: 'removed', kind, id, ...saidBy(kind, item, wordsBefore) }],
      ),
    );
  return { items: [...came, ...went], settings: settings.toSorted() };
}

type Item = Readonly<Record<string, unknown>>;

function itemsOf(input: InvestigationInput, kind: EntityKind): ReadonlyMap<string, Item> {
  const list = (input[kind] ?? []) as unknown as readonly Item[];
  return new Map(list.map((item) => [String(item['id']), item]));
}

/** The words for the items of an input. */
interface Words {
  readonly actorName: (id: string) => string | undefined;
  readonly sentence: (claim: Item) => string | undefined;
}

function wordsIn({ actors, subjects, claims }: InvestigationInput): Words {
  const names = new Map(actors.map(({ id, name }) => [id, name]));
  const speakers = new Map(claims.map(({ id, actor_id }) => [id, names.get(actor_id)]));
  const subjectNames = new Map(subjects.map(({ id, name }) => [id, name]));
  return {
    actorName: (id) => names.get(id),
    sentence: (claim) => {
      if (claim['target_claim_id'] != null) {
        const does = { Supports: 'supports', Refutes: 'disputes' }[String(claim['valence'])] ?? 'comments on';
        return `${does} what ${speakers.get(String(claim['target_claim_id']))} says`;
      }
      const subject = subjectNames.get(String(claim['subject_id']));
      if (subject === undefined) return undefined;
      const { value = '', valence, ...place } = answerOf(claim);
      const predicate = String(claim['predicate']);
      const isDenied = valence !== undefined;
      const where = whereSaid({ value, ...place });
      const said = textOf(statement({ subject, predicate, value }, { isDenied }));
      return where === '' ? said : `${said} (${where})`;
    },
  };
}

/** Longest name of an item that a change has. Characters. */
const NAME_LENGTH = 120;

function saidBy(kind: EntityKind, item: Item, { actorName, sentence }: Words): Partial<ItemChange> {
  const own = item['name'] ?? item['content'] ?? item['feature'] ?? item['description'];
  const name = kind === 'claims' ? actorName(String(item['actor_id'])) : own;
  const named = typeof name === 'string' && name !== '' ? { name: shortened(name) } : {};
  if (kind !== 'claims') return named;
  const said = sentence(item);
  return {
    ...texts(item, ['subject_id', 'predicate', 'actor_id']),
    ...answerOf(item),
    ...named,
    ...(said !== undefined && { statement: said }),
  };
}

function shortened(text: string): string {
  const characters = [...text];
  return characters.length <= NAME_LENGTH ? text : `${characters.slice(0, NAME_LENGTH - 1).join('')}…`;
}

/** Whether `said_before` tells how a field differs. */
const isSaidBefore = (kind: EntityKind, item: Item, field: string): boolean =>
  kind === 'claims' &&
  (['value', 'scope', 'event_start_time', 'event_end_time'].includes(field) ||
    (field === 'valence' && item['target_claim_id'] == null));

function saidBefore(past: Item, item: Item): Partial<ItemChange> {
  const [before, now] = [answerOf(past), answerOf(item)];
  return {
    ...(before.value === now.value ? {} : { value_before: String(past['value']) }),
    ...(canonical(before) === canonical(now) ? {} : { said_before: before }),
  };
}

/** What a claim answers. The valence of a claim about a claim is about that claim, not about a value. */
function answerOf(item: Item): SaidAnswer {
  const isDenial = item['valence'] === 'Refutes' && item['target_claim_id'] == null;
  return {
    ...texts(item, ['value', 'scope', 'event_start_time', 'event_end_time']),
    ...(isDenial && { valence: 'Refutes' }),
  };
}

const texts = (item: Item, names: readonly string[]): Partial<Record<string, string>> =>
  Object.fromEntries(names.flatMap((name) => (item[name] == null ? [] : [[name, String(item[name])]])));

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            // Null is as good as left out.
            .filter(([, member]) => member !== null)
            .toSorted(([a], [b]) => (a < b ? -1 : 1)),
        )
      : inner,
  );
}
