import { useEffect, useState } from 'preact/hooks';
import { ask } from './api.ts';
import { Field, Notes, Problem, Screen, Table, useAsked } from './parts.tsx';

interface Row {
  readonly id: string;
  readonly time: string;
  readonly subject: string;
  readonly subject_name: string;
  readonly caller_id: string;
  readonly caller_name: string;
  readonly action: string;
  readonly object: string;
  /** With names in the place of ids. */
  readonly object_name: string;
  readonly decision: boolean;
  readonly outcome: string;
  readonly operation: string;
  readonly matched_policy: string;
}

interface Page {
  readonly events: readonly Row[];
  readonly next_cursor: string;
  readonly notes: readonly string[];
}

/** A page with the cursors of the pages before it and its own. */
interface Shown extends Page {
  readonly cursors: readonly string[];
}

/** The audit of the tenant, newest first, page by page, and whether its chain holds. */
export function AuditScreen() {
  const [subject, setSubject] = useState('');
  const [refused, setRefused] = useState(false);
  const asked = useAsked<Shown>();
  const verified = useAsked<{ rows: number; broken: number | null }>();
  const show = (cursors: readonly string[]) =>
    void asked.run(async () => {
      const page = await ask<Page>('audit', { cursor: cursors.at(-1), subject, refused });
      return { ...page, cursors };
    });
  useEffect(() => show(['']), []);
  const chain = verified.value;
  return (
    <Screen title="Audit" lead="Every check, change and login of the tenant, newest first.">
      <form
        class="group-row"
        onSubmit={(event) => {
          event.preventDefault();
          show(['']);
        }}
      >
        <Field label="Subject, by name or id" value={subject} onValue={setSubject} />
        <label class="check">
          <input
            type="checkbox"
            checked={refused}
            onChange={(event) => setRefused(event.currentTarget.checked)}
          />{' '}
          refused only
        </label>
        <button type="submit">Show</button>
        <button
          type="button"
          disabled={verified.isBusy}
          onClick={() => void verified.run(() => ask('verify'))}
        >
          Verify the chain
        </button>
      </form>
      <p role="status" class="count">
        {asked.isBusy ? 'Reading… ' : null}
        {verified.isBusy ? 'Verifying…' : null}
        {chain === null
          ? null
          : `${chain.rows} ${chain.rows === 1 ? 'row' : 'rows'}: ${chain.broken === null ? 'the chain holds' : `broken at ${chain.broken}`}`}
      </p>
      <Notes lines={asked.value?.notes} />
      <Problem text={asked.error ?? verified.error} />
      {asked.value?.events.length === 0 ? <p>No rows for this filter.</p> : null}
      {asked.value === null || asked.value.events.length === 0 ? null : (
        <>
          <Table
            caption={`Page ${asked.value.cursors.length}`}
            head={['Time', 'Decision', 'Subject', 'Action', 'Object', 'Policy', 'Asked by']}
            rows={asked.value.events.map((row) => [
              <time key="time">{row.time.replace('T', ' ').slice(0, 19)}</time>,
              decisionOf(row),
              <Named key="subject" id={row.subject} name={row.subject_name} />,
              row.action,
              <Named key="object" id={row.object} name={row.object_name} />,
              row.matched_policy,
              row.caller_id === NIL ? null : <Named key="caller" id={row.caller_id} name={row.caller_name} />,
            ])}
          />
          <div class="form-actions">
            <button
              type="button"
              disabled={asked.isBusy || asked.value.cursors.length < 2}
              onClick={() => show(asked.value!.cursors.slice(0, -1))}
            >
              Newer
            </button>
            <button
              type="button"
              disabled={asked.isBusy || asked.value.next_cursor === ''}
              onClick={() => show([...asked.value!.cursors, asked.value!.next_cursor])}
            >
              Older
            </button>
          </div>
        </>
      )}
    </Screen>
  );
}

/** The caller of rows of calls without a credential. */
const NIL = '00000000-0000-0000-0000-000000000000';

/** A name, with the id that stands behind it under the pointer; the id where there is no name. */
function Named({ id, name }: { readonly id: string; readonly name: string }) {
  return name === id ? <code>{id}</code> : <span title={id}>{name}</span>;
}

function decisionOf({ outcome, operation, decision }: Row): string {
  if (outcome !== '') return `refused: ${outcome}`;
  if (operation !== '') return 'done';
  return decision ? 'allowed' : 'denied';
}
