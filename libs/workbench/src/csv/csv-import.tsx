import { useMemo, useState } from 'preact/hooks';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { counted, shortened, visible } from '@platform/viewer/browser';
import { randomCode } from '../browser/random-code.ts';
import { mayLeave, useUnsaved } from '../browser/unsaved.ts';
import { EditorDialog } from '../components/editor-dialog.tsx';
import { Field } from '../components/field.tsx';
import { labelOf } from '../edit/kinds.ts';
import { itemsOf } from '../edit/payload-change.ts';
import type { StoredEdit } from '../edit/stored-session.ts';
import { AgeingChoice, asksAgeing } from './ageing-choice.tsx';
import { DecimalMarkField } from './decimal-mark-field.tsx';
import { DateOrderField } from './date-order-field.tsx';
import { NewSources } from './new-sources.tsx';
import { CenturyField } from './century-field.tsx';
import { guessFormat } from '../files/guess-format.ts';
import { listsOf, overlapWords } from '../files/overlap-words.ts';
import { nearSpelled } from '../files/near-spelled.ts';
import { ImportOutcome, type Remedy } from './import-outcome.tsx';
import type { Century, DateOrder } from './read-dates.ts';
import type { DecimalMark } from './read-numbers.ts';
import { CLAIM_COLUMNS, guessMapping, type Mapping } from './mapping.ts';
import { importClaims } from './read-claims.ts';
import { decodeText } from '../browser/file-text.ts';
import { readSheet } from './sheet.ts';

const PREVIEW_ROWS = 5;
const CELL_LENGTH = 60;
/** Type of new subjects that name none. */
const SUBJECT_TYPE = 'topic';
const EXAMPLE = `source,subject,predicate,value,statement,date
The Herald,Whitehead,first flight,1901,"The machine flew half a mile.",1901-08-18`;

interface Props {
  readonly payload: InvestigationInput;
  /** Sends an update, and gives what it did. Throws ApiError. */
  readonly save: (change: Record<string, unknown>) => Promise<StoredEdit>;
  /** Called with what was done, and what the user should look at, in sentences. */
  readonly done: (edit: StoredEdit, notes: string) => void;
  /** Called with a file that is a workbook and no text. */
  readonly chooseWorkbook: (file: File) => void;
  readonly close: () => void;
}

/** Claims from a CSV: choose, map its columns, look, import as one update. */
export function CsvImport({ payload, save, done, chooseWorkbook, close }: Props) {
  const [text, setText] = useState('');
  const [fileError, setFileError] = useState<string>();
  const [chosen, setChosen] = useState<Mapping | null>(null);
  const [createMissing, setCreateMissing] = useState(true);
  const [sourceTypes, setSourceTypes] = useState<Readonly<Record<string, string>>>({});
  const [dateOrders, setDateOrders] = useState<Readonly<Record<string, DateOrder>>>({});
  const [centuries, setCenturies] = useState<Readonly<Record<string, Century>>>({});
  const [decimalMark, setDecimalMark] = useState<DecimalMark | null>(null);
  const [remedies, setRemedies] = useState<readonly Remedy[]>([]);
  const [halfLifeDays, setHalfLife] = useState<number | null>(null);
  const [subjectType, setSubjectType] = useState(SUBJECT_TYPE);
  const [skipsWrong, setSkipsWrong] = useState(false);
  const [skipsRepeated, setSkipsRepeated] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const [isSaving, setSaving] = useState(false);
  const [isTyped, setTyped] = useState(false);
  /** A file alone can be chosen again. */
  const isUnsaved = text !== '' && (isTyped || chosen !== null || Object.keys(sourceTypes).length > 0);
  useUnsaved(isUnsaved);

  const sheet = useMemo(() => readSheet(text), [text]);
  const mapping = chosen ?? guessMapping(sheet.columns, sheet.rows);
  const imported = useMemo(
    () =>
      importClaims(
        sheet,
        mapping,
        {
          actors: itemsOf(payload, 'actors'),
          subjects: itemsOf(payload, 'subjects'),
          claims: itemsOf(payload, 'claims'),
        },
        {
          createMissing,
          sourceTypes,
          subjectType: subjectType.trim() || SUBJECT_TYPE,
          dateOrders,
          centuries,
          decimalMark,
          newCode: randomCode,
          mended: new Map(remedies.flatMap(({ cells }) => [...cells])),
        },
      ),
    [
      sheet,
      chosen,
      payload,
      createMissing,
      sourceTypes,
      subjectType,
      dateOrders,
      centuries,
      decimalMark,
      remedies,
    ],
  );
  const { actors, subjects, problems, undecided, numbers, shortYears, repeated } = imported;
  const claims = useMemo(
    () => (skipsRepeated ? imported.claims.filter((claim) => !repeated.has(claim)) : imported.claims),
    [imported, skipsRepeated],
  );
  const overlaps = useMemo(() => overlapWords({ claims }, listsOf(payload)), [claims, payload]);
  const spellings = useMemo(() => nearSpelled({ claims }, listsOf(payload)), [claims, payload]);
  const lacksType = actors.some((actor) => actor['source_type'] === '');
  const isAgeingAsked = asksAgeing(payload, imported);
  /** Columns whose dates could be read either way, decided or not. */
  const asked = [...new Set([...Object.keys(dateOrders), ...undecided])];
  const mayImport =
    claims.length > 0 &&
    !lacksType &&
    undecided.length === 0 &&
    (numbers?.shown !== 'ask' || decimalMark !== null) &&
    Object.keys(shortYears).every((field) => centuries[field] !== undefined) &&
    (!isAgeingAsked || halfLifeDays !== null) &&
    sheet.problems.length === 0 &&
    (problems.length === 0 || skipsWrong) &&
    !isSaving;

  function read(csv: string): void {
    setText(csv);
    setFileError(undefined);
    setChosen(null);
    setDateOrders({});
    setCenturies({});
    setDecimalMark(null);
    setRemedies([]);
    setSkipsWrong(false);
    setSkipsRepeated(false);
    setError(null);
  }

  async function readFile(file: File): Promise<void> {
    if ((await guessFormat(file)) === 'xlsx') return chooseWorkbook(file);
    const csv = decodeText(new Uint8Array(await file.arrayBuffer()));
    if (csv === null)
      return setFileError(
        `${visible(file.name)} is not a text in UTF-8. Save it as “CSV UTF-8” and choose it again.`,
      );
    setTyped(false);
    read(csv);
    if (csv.trim() === '') setFileError(`${visible(file.name)} is empty.`);
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault();
    setError(null);
    setSaving(true);
    try {
      const edit = await save({
        ...(actors.length > 0 && { actors }),
        ...(subjects.length > 0 && { subjects }),
        claims,
        ...(isAgeingAsked && halfLifeDays !== null && { decay_half_life_days: halfLifeDays }),
      });
      done(edit, overlaps.join(' '));
      close();
    } catch (failure) {
      setError(failure);
      setSaving(false);
    }
  }

  const leave = () => mayLeave(isUnsaved) && close();
  return (
    <EditorDialog
      id="csv"
      isWide
      title="Import claims from CSV"
      submit={submit}
      leave={leave}
      error={error}
      label={
        isSaving ? 'Importing …' : claims.length > 0 ? `Import ${counted(claims.length, 'claim')}` : 'Import'
      }
      isDisabled={!mayImport}
    >
      <Field
        label="CSV file"
        help="The first row names the columns; each other row is one claim."
        error={fileError}
      >
        {(control) => (
          <input
            {...control}
            type="file"
            accept=".csv,.tsv,.txt,.xlsx,text/csv"
            // Choosing the same file again reads it again.
            onClick={(event) => (event.currentTarget.value = '')}
            onChange={(event) => {
              const file = event.currentTarget.files?.[0];
              if (file) void readFile(file);
            }}
          />
        )}
      </Field>
      <Field label="or paste it">
        {(control) => (
          <textarea
            {...control}
            class="code"
            rows={5}
            spellcheck={false}
            placeholder={EXAMPLE}
            value={text}
            onInput={(event) => {
              setTyped(true);
              read(event.currentTarget.value);
            }}
          />
        )}
      </Field>
      {sheet.columns.length > 0 && (
        <>
          <MappingTable
            columns={sheet.columns}
            rows={sheet.rows.slice(0, PREVIEW_ROWS).map(({ cells }) => cells)}
            mapping={mapping}
            change={(next) => {
              setChosen(next);
              // Remedies are of cells by the field of their column.
              setRemedies([]);
            }}
          />
          <fieldset class="field-group">
            <legend>Sources and subjects</legend>
            <p class="field-help">They are found by their id or their name.</p>
            <label class="check">
              <input
                type="checkbox"
                checked={createMissing}
                onChange={(event) => setCreateMissing(event.currentTarget.checked)}
              />{' '}
              Add those that are not there yet
            </label>
            {createMissing && (
              <div class="form-grid">
                <Field label="Subject type of new subjects">
                  {(control) => (
                    <input
                      {...control}
                      value={subjectType}
                      onInput={(event) => setSubjectType(event.currentTarget.value)}
                    />
                  )}
                </Field>
              </div>
            )}
          </fieldset>
          {asked.map((field) => (
            <DateOrderField
              key={field}
              label={labelOf(field)}
              order={dateOrders[field]}
              error={undecided.includes(field) ? 'Required: the dates could be read either way.' : undefined}
              choose={(order) => setDateOrders({ ...dateOrders, [field]: order })}
            />
          ))}
          {numbers !== null && (
            <DecimalMarkField
              label={labelOf('value')}
              numbers={numbers}
              mark={decimalMark ?? undefined}
              choose={(mark) => setDecimalMark(mark ?? null)}
            />
          )}
          {Object.entries(shortYears).map(([field, example]) => (
            <CenturyField
              key={field}
              label={labelOf(field)}
              example={example}
              order={dateOrders[field] ?? 'day-first'}
              century={centuries[field]}
              choose={(century) => setCenturies({ ...centuries, [field]: century })}
            />
          ))}
          {actors.length > 0 && (
            <NewSources
              actors={actors}
              claims={claims}
              choose={(names, type) =>
                setSourceTypes({
                  ...sourceTypes,
                  ...Object.fromEntries(names.map((name) => [name, type])),
                })
              }
            />
          )}
          {isAgeingAsked && (
            <AgeingChoice
              payload={payload}
              items={imported}
              halfLifeDays={halfLifeDays}
              choose={setHalfLife}
            />
          )}
          <ImportOutcome
            imported={imported}
            claims={claims.length}
            skipRepeated={setSkipsRepeated}
            spellings={spellings}
            overlaps={overlaps}
            sheet={sheet}
            mapping={mapping}
            unreadable={sheet.problems}
            remedies={remedies}
            mend={(remedy) => setRemedies([...remedies, remedy])}
            takeBack={(remedy) => setRemedies(remedies.filter((one) => one !== remedy))}
          />
          {problems.length > 0 && claims.length > 0 && (
            <label class="check">
              <input
                type="checkbox"
                checked={skipsWrong}
                onChange={(event) => setSkipsWrong(event.currentTarget.checked)}
              />{' '}
              Skip invalid rows: {counted(new Set(problems.map(({ line }) => line)).size, 'row')} would be
              left out
            </label>
          )}
        </>
      )}
    </EditorDialog>
  );
}

interface MappingProps {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly mapping: Mapping;
  readonly change: (mapping: Mapping) => void;
}

/** Which field each column holds, above the first rows. */
function MappingTable({ columns, rows, mapping, change }: MappingProps) {
  return (
    <div class="scroll-x" role="region" aria-label="Columns and first rows" tabIndex={0}>
      <table class="mapping-table">
        <caption>What each column holds</caption>
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th key={index} scope="col">
                <Field label={<bdi>{visible(column) || `Column ${index + 1}`}</bdi>}>
                  {(control) => (
                    <select
                      {...control}
                      value={mapping[index] ?? ''}
                      onChange={(event) => {
                        const field = event.currentTarget.value || null;
                        change(
                          mapping.map((other, at) => (at === index ? field : other === field ? null : other)),
                        );
                      }}
                    >
                      <option value="">leave out</option>
                      {CLAIM_COLUMNS.map((field) => (
                        <option key={field} value={field}>
                          {labelOf(field)}
                        </option>
                      ))}
                    </select>
                  )}
                </Field>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <tr key={row}>
              {columns.map((_, index) => (
                <td key={index} dir="auto">
                  {visible(shortened(cells[index] ?? '', CELL_LENGTH))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
