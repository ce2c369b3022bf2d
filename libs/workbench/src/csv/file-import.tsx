import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EntityKind, InvestigationInput } from '@platform/opinion-fusion';
import { count, counted, shortened, visible } from '@platform/viewer/browser';
import { problemOf } from '../api/api-error.ts';
import { useApi } from '../browser/api-context.ts';
import { mayLeave, useUnsaved } from '../browser/unsaved.ts';
import { EditorDialog } from '../components/editor-dialog.tsx';
import { Field } from '../components/field.tsx';
import { AgeingChoice, asksAgeing } from './ageing-choice.tsx';
import { DecimalMarkSelect } from './decimal-mark-field.tsx';
import { DateOrderField } from './date-order-field.tsx';
import { guessSourceType } from './guess-source-type.ts';
import { NewSources } from './new-sources.tsx';
import type { DateOrder } from './read-dates.ts';
import type { DecimalMark } from './read-numbers.ts';
import { RepeatedNotice } from './repeated-notice.tsx';
import { SpellingNotices } from './spelling-notices.tsx';
import { KINDS, labelOf, nameOf, type Entity } from '../edit/kinds.ts';
import { itemsOf } from '../edit/payload-change.ts';
import type { StoredEdit } from '../edit/stored-session.ts';
import { leftOutWords } from '../files/left-out-words.ts';
import type { ItemLists } from '../files/item-lists.ts';
import { itemsToMerge, type Merge } from '../files/merge-items.ts';
import { asOne, differingNamesakes, isOne, namesakesOf, putBack, type Namesake } from '../files/namesakes.ts';
import { apartFromClaims, versionWords, withSuperseded } from '../files/object-versions.ts';
import { listsOf, namedStanding, quoted } from '../files/overlap-words.ts';
import { nearSpelled, respelled, type Spellings } from '../files/near-spelled.ts';
import { repeatedInFile } from '../files/repeated-in-file.ts';
import { replacedItems, replacedWords } from '../files/replaced-items.ts';
import { FORMATS, guessFormat, type FileFormat } from '../files/guess-format.ts';

/** Lines about what was left out; the service names at most 200 items. */
const LEFT_OUT_SHOWN = 20;
/** Items that a sentence names, and the characters of a name. */
const ITEMS_NAMED = 3;
const NAME_CHARACTERS = 60;

type ItemsToAdd = Readonly<Partial<Record<EntityKind, readonly Entity[]>>>;

interface ImportPreview {
  readonly payload: InvestigationInput;
  readonly left_out: readonly { readonly path: string; readonly reason: string }[];
  readonly left_out_total: number;
  readonly settings: Readonly<Record<string, unknown>>;
}

interface Props {
  readonly sessionId: string;
  readonly payload: InvestigationInput;
  /** A file that was chosen before the dialog opened. */
  readonly chosen?: File | undefined;
  /** Sends an update, and gives what it did. Throws ApiError. */
  readonly save: (change: Record<string, unknown>) => Promise<StoredEdit>;
  /** Called with what was done, and what the user should look at, in sentences. */
  readonly done: (edit: StoredEdit, notes: string) => void;
  readonly close: () => void;
}

/** Items of a file of another tool: choose it, look at what was read and left out, add them as one update. */
export function FileImport({ sessionId, payload, chosen, save, done, close }: Props) {
  const api = useApi();
  const [shown, setShown] = useState<File | null>(null);
  const [format, setFormat] = useState<FileFormat | null>(null);
  const [preview, setPreview] = useState<ImportPreview | null>(null);
  const [types, setTypes] = useState<Readonly<Record<string, string>>>({});
  const [isOneByName, setOneByName] = useState(false);
  const [skipsRepeated, setSkipsRepeated] = useState(false);
  const [respellings, setRespellings] = useState<readonly Spellings[]>([]);
  const [halfLifeDays, setHalfLife] = useState<number | null>(null);
  /** Where the dates of the file could be read either way: why it is asked, and what was chosen. */
  const [dates, setDates] = useState<{ readonly asked: string; readonly order?: DateOrder } | null>(null);
  /** The same of its numbers. */
  const [numbers, setNumbers] = useState<{ readonly asked: string; readonly mark?: DecimalMark } | null>(
    null,
  );
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState<'reading' | 'adding' | null>(null);
  /** A file alone can be chosen again. */
  const isUnsaved =
    isOneByName ||
    skipsRepeated ||
    respellings.length > 0 ||
    halfLifeDays !== null ||
    Object.keys(types).length > 0;
  useUnsaved(isUnsaved);

  async function look(
    file: File,
    as: FileFormat | null,
    { order, mark }: { readonly order?: DateOrder | undefined; readonly mark?: DecimalMark | undefined } = {},
  ): Promise<void> {
    setShown(file);
    setDates(dates !== null && order !== undefined ? { ...dates, order } : null);
    setNumbers(numbers !== null && mark !== undefined ? { ...numbers, mark } : null);
    setFormat(as);
    setPreview(null);
    setTypes({});
    setOneByName(false);
    setSkipsRepeated(false);
    setRespellings([]);
    setHalfLife(null);
    setError(null);
    if (as === null)
      return setError(new Error(`${file.name} looks like no format that is read here: choose one below`));
    setBusy('reading');
    try {
      // With the session, so that rows may be about claims that are there.
      const of = new URLSearchParams({ session: sessionId, preview: 'true' });
      if (order !== undefined) of.set('dates', order.replace('-', '_'));
      if (mark !== undefined) of.set('numbers', `decimal_${mark}`);
      setPreview(await api<ImportPreview>('POST', `/imports/${as}?${of.toString()}`, { file }));
    } catch (failure) {
      const [asked, askedNumbers] = ['dates', 'numbers'].map((name) => problemOf(failure, name));
      if (asked !== undefined) setDates({ asked });
      else if (askedNumbers === undefined) setError(failure);
      else setNumbers({ asked: askedNumbers });
    }
    setBusy(null);
  }

  const guessAndLook = (file: File) => void guessFormat(file).then((guess) => look(file, guess));
  useEffect(() => {
    if (chosen !== undefined) guessAndLook(chosen);
  }, []);

  const there = listsOf(payload);
  const { inFile, read, merge, namesakes, others } = useMemo(() => {
    const whole = preview === null ? {} : listsOf(preview.payload);
    const merged = format === 'json' ? null : itemsToMerge(whole, listsOf(payload));
    const lists = merged?.read ?? whole;
    const found = newItems(merged?.items ?? whole, payload, { types, format });
    const named = namesakesOf(lists, found, listsOf(payload));
    return { inFile: lists, read: found, merge: merged, namesakes: named, others: asOne(found, named) };
  }, [preview, payload, types, format]);
  const mayBeOne = namesakes.some(isOne);
  const offered: ItemsToAdd = useMemo(
    () => respelled(isOneByName ? others : read, respellings),
    [isOneByName, others, read, respellings],
  );
  const repeated = useMemo(() => repeatedInFile(offered, listsOf(payload)), [offered, payload]);
  const items = useMemo(
    () => (skipsRepeated ? withoutClaims(offered, repeated) : offered),
    [offered, repeated, skipsRepeated],
  );
  const spellings = useMemo(() => nearSpelled(items, listsOf(payload)), [items, payload]);
  const judgedAs = useMemo(() => ({ ...payload, ...preview?.settings }), [payload, preview]);
  const isAgeingAsked = asksAgeing(judgedAs, items);
  const back = putBack(inFile, there, apartFromClaims(others, merge?.news ?? new Set()));
  const differing = isOneByName ? differingNamesakes(read, namesakes, there, quoted) : [];
  const staying = apartFromClaims(there, new Set(merge?.removed));
  const lost = [
    ...(merge === null ? [] : versionWords(merge, quoted)),
    ...replacedWords(replacedItems(inFile, items, staying), quoted),
    ...namedStanding(differing),
  ];
  const lacksType = (items.actors ?? []).some((actor) => actor['source_type'] === '');
  const all = Object.values(items).flat();
  const replaced = KINDS.flatMap(({ kind }) => {
    const ids = new Set((items[kind] ?? []).map(({ id }) => id));
    return itemsOf(payload, kind).filter(({ id }) => ids.has(id));
  });

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setError(null);
    setBusy('adding');
    try {
      const edit = await save({
        ...preview?.settings,
        ...withSuperseded(items, merge?.superseded ?? []),
        ...removals(merge),
        ...(isAgeingAsked && halfLifeDays !== null && { decay_half_life_days: halfLifeDays }),
      });
      const apart = namesakes.filter((one) => !isOneByName || !isOne(one));
      const notes = [...lost, namesakeWords(apart), putBackWords(back)];
      done(edit, notes.filter(Boolean).join(' '));
      close();
    } catch (failure) {
      setError(failure);
      setBusy(null);
    }
  }

  const leave = () => mayLeave(isUnsaved) && close();
  return (
    <EditorDialog
      id="file"
      isWide
      title="Import a file of another tool"
      submit={submit}
      leave={leave}
      error={error}
      label={
        busy === 'adding'
          ? 'Importing …'
          : all.length > 0
            ? `Import ${counted(all.length, 'item')}`
            : 'Import'
      }
      isDisabled={all.length === 0 || lacksType || (isAgeingAsked && halfLifeDays === null) || busy !== null}
    >
      <Field
        label="File"
        help={`${FORMATS.slice(0, -1)
          .map(([, label]) => label)
          .join(', ')} or ${FORMATS.at(-1)![1]}.`}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".xlsx,.json,.jsonld,.html,.htm"
            // Choosing the same file again reads it again.
            onClick={(event) => (event.currentTarget.value = '')}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) guessAndLook(file);
            }}
          />
        )}
      </Field>
      {shown !== null && (
        <Field label="Format" help={format === null ? 'It could not be guessed.' : 'Guessed from the file.'}>
          {(control) => (
            <select
              {...control}
              value={format ?? ''}
              onChange={(event) => void look(shown, event.currentTarget.value as FileFormat)}
            >
              <option value="" disabled>
                Choose …
              </option>
              {FORMATS.map(([name, label]) => (
                <option key={name} value={name}>
                  {label}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      {shown !== null && dates !== null && (
        <DateOrderField
          label="Dates of the workbook"
          order={dates.order}
          error={dates.order === undefined ? dates.asked : undefined}
          choose={(order) => void look(shown, format, { order, mark: numbers?.mark })}
        />
      )}
      {shown !== null && numbers !== null && (
        <DecimalMarkSelect
          label="Numbers of the workbook: decimal comma or decimal point?"
          mark={numbers.mark}
          error={numbers.mark === undefined ? numbers.asked : undefined}
          choose={(mark) => void look(shown, format, { order: dates?.order, mark })}
        />
      )}
      {busy === 'reading' && <p role="status">Reading …</p>}
      {preview !== null && (
        <>
          {(items.actors ?? []).length > 0 && (
            <NewSources
              actors={items.actors ?? []}
              claims={items.claims ?? []}
              choose={(names, type) =>
                setTypes({ ...types, ...Object.fromEntries(names.map((name) => [name, type])) })
              }
            />
          )}
          {isAgeingAsked && (
            <AgeingChoice payload={judgedAs} items={items} halfLifeDays={halfLifeDays} choose={setHalfLife} />
          )}
          {namesakes.length > 0 && (
            <div class="notice">
              <p>{namesakeWords(namesakes)}</p>
              {mayBeOne && (
                <label class="check">
                  <input
                    type="checkbox"
                    checked={isOneByName}
                    onChange={(event) => setOneByName(event.currentTarget.checked)}
                  />{' '}
                  Take those of one name as one
                </label>
              )}
            </div>
          )}
          {lost.map((words) => (
            <p key={words} class="notice">
              {visible(words)}
            </p>
          ))}
          {back.length > 0 && <p class="notice">{putBackWords(back)}</p>}
          <RepeatedNotice
            repeated={repeated.size}
            named={namesOf([...repeated])}
            isSkipped={skipsRepeated}
            skip={setSkipsRepeated}
          />
          <SpellingNotices
            spellings={spellings}
            where={(group) => namesOf(group.items)}
            use={(group) => setRespellings([...respellings, group])}
          />
          {respellings.map((one) => (
            <p key={`${one.field} ${one.use}`} class="notice">
              {quoted(one.use)} for all: {counted(one.items.length, 'item')}.{' '}
              <button
                type="button"
                class="link"
                onClick={() => setRespellings(respellings.filter((other) => other !== one))}
              >
                Take it back
              </button>
            </p>
          ))}
          <Outcome items={items} replaced={replaced} preview={preview} />
        </>
      )}
    </EditorDialog>
  );
}

/** The request field for evidence that the file takes away. */
const removals = (merge: Merge | null) =>
  merge !== null && merge.removed.length > 0 ? { remove_evidence_ids: merge.removed } : {};

/** The lists of a file that have items, without sources and subjects that are there already as they are. */
function newItems(
  added: ItemLists,
  payload: InvestigationInput,
  { types, format }: { readonly types: Readonly<Record<string, string>>; readonly format: FileFormat | null },
): Partial<Record<EntityKind, readonly Entity[]>> {
  const lists = KINDS.map(({ kind }) => {
    const stored = new Map(itemsOf(payload, kind).map((item) => [item.id, JSON.stringify(item)]));
    const isNew = (item: Entity) => stored.get(item.id) !== JSON.stringify(item);
    const items = (added[kind] ?? [])
      // What is there as it is keeps its type, which a new source may be asked for.
      .filter(isNew)
      .map((item) =>
        kind === 'actors' ? { ...item, source_type: types[nameOf(item)] ?? typeIn(item, format) } : item,
      )
      .filter(isNew);
    return [kind, items] as const;
  });
  return Object.fromEntries(lists.filter(([, items]) => items.length > 0));
}

/** The items without some claims. */
function withoutClaims({ claims = [], ...items }: ItemsToAdd, some: ReadonlySet<Entity>): ItemsToAdd {
  const kept = claims.filter((claim) => !some.has(claim));
  return { ...items, ...(kept.length > 0 && { claims: kept }) };
}

/** Formats whose sources have types of their own; those of the others are guessed by their names. */
const TYPED: readonly (FileFormat | null)[] = ['json', 'aif'];

/** The type of a source in a file; '' where the service took Insider for lack of any sign: it is asked. */
const typeIn = (actor: Entity, format: FileFormat | null) =>
  actor['source_type'] === 'Insider' && !TYPED.includes(format) && guessSourceType(nameOf(actor)) === null
    ? ''
    : actor['source_type'];

/** What it means that sources and subjects have the names of other ones; nothing where none has. */
function namesakeWords(namesakes: readonly Namesake[]): string {
  if (namesakes.length === 0) return '';
  const spellings = namesakes.slice(0, ITEMS_NAMED).map(({ names }) => names.map(quoted).join(' and '));
  const more = namesakes.length - spellings.length;
  const words = `The same name stands for two: ${spellings.join('; ')}${more > 0 ? `; and ${count(more)} more` : ''}. Sources with one name count as two independent voices, and claims about subjects with one name do not meet.`;
  const apart = namesakes.filter((one) => !isOne(one));
  return apart.length === 0
    ? words
    : `${words} To make one of ${namesOf(apart)}, choose one of them in each claim and delete the other.`;
}

/** That a file puts back what may have been deleted; nothing where it puts nothing back. */
const putBackWords = (items: readonly Entity[]) =>
  items.length === 0
    ? ''
    : `Other items of the file are there already, and these are not: ${namesOf(items)}. If they were deleted, the file puts them back.`;

/** The names of the first few items, and how many more there are. */
function namesOf(items: readonly (Entity | Namesake)[]): string {
  const named = items.slice(0, ITEMS_NAMED).map((item) => quoted(nameOf({ ...item }) || item.id));
  const more = items.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${count(more)} more` : ''}`;
}

function Outcome({
  items,
  replaced,
  preview: { left_out: leftOut, left_out_total: leftOutTotal, settings },
}: {
  readonly items: ItemsToAdd;
  /** Items of the investigation that make room for others with their ids. */
  readonly replaced: readonly Entity[];
  readonly preview: ImportPreview;
}) {
  const found = KINDS.filter(({ kind }) => items[kind] !== undefined);
  const words = leftOutWords(leftOut);
  return (
    <section class="outcome" aria-labelledby="file-outcome">
      <h3 id="file-outcome">Preview</h3>
      <p role="status">
        {found.length === 0
          ? 'Everything in the file is there already.'
          : found.map(({ kind, title }) => `${title}: ${count(items[kind]!.length)}`).join(', ') + '.'}
        {replaced.length > 0 &&
          ` ${count(replaced.length)} in place of items with the same id: ${namesOf(replaced)}.`}
      </p>
      {Object.keys(settings).length > 0 && (
        <p>
          The investigation holds nothing yet, so it takes from the file:{' '}
          {Object.entries(settings)
            .map(([name, value]) => `${labelOf(name)} ${visible(shortened(String(value), NAME_CHARACTERS))}`)
            .join(', ')}
          .
        </p>
      )}
      {leftOutTotal > 0 && (
        <>
          <p>Left out or assumed: {count(leftOutTotal)}.</p>
          <ul class="problems">
            {words.slice(0, LEFT_OUT_SHOWN).map((line) => (
              <li key={line}>{visible(line)}</li>
            ))}
            {words.length > LEFT_OUT_SHOWN && <li>and {count(words.length - LEFT_OUT_SHOWN)} more kinds</li>}
            {leftOutTotal > leftOut.length && (
              <li>and {count(leftOutTotal - leftOut.length)} more, which are not listed</li>
            )}
          </ul>
        </>
      )}
    </section>
  );
}
