import { useState } from 'preact/hooks';
import { ask } from './api.ts';
import { Field, LongList, Notes, Problem, Screen, useAsked } from './parts.tsx';

interface Trace {
  readonly policy_name: string;
  readonly deny: boolean;
  readonly inverted: boolean;
  readonly matched: boolean;
  readonly statements: readonly { index: number; matched: boolean; failed_rule_key: string }[];
}

interface Explained {
  readonly authorized: boolean;
  readonly verdict: string;
  readonly policies: readonly Trace[];
  readonly problems: readonly string[];
  /** What the user may have meant. */
  readonly notes: readonly string[];
}

/** Tries a request and says which policy decides it, and why the others do not. */
export function TryScreen({ domain, subjectId }: { readonly domain: string; readonly subjectId: string }) {
  const [subject, setSubject] = useState(subjectId);
  const [action, setAction] = useState('read');
  const [object, setObject] = useState('');
  const [attributes, setAttributes] = useState('');
  const request = { domain, subject, action, object, attributes: attributesOf(attributes) };
  const asked = useAsked<Explained>(JSON.stringify(request));
  const explained = asked.value;
  return (
    <Screen title="Try a request" lead="Nothing is done: this explains what a check would decide.">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void asked.run(() => ask('explain', request));
        }}
      >
        <div class="form-grid">
          <Field label="Subject" value={subject} onValue={setSubject} isRequired />
          <Field label="Action" value={action} onValue={setAction} isRequired />
          <Field
            label="Object"
            value={object}
            onValue={setObject}
            help="svc://… or a path of the chosen domain"
            isRequired
          />
          <Field
            label="Attributes"
            value={attributes}
            onValue={setAttributes}
            help="key=value, with spaces between; a key again for several values"
          />
        </div>
        <div class="form-actions">
          <button type="submit" class="primary" disabled={asked.isBusy}>
            Explain
          </button>
        </div>
      </form>
      <Problem text={asked.error} />
      <div role="status">
        {explained === null ? null : (
          <p class={`verdict ${explained.authorized ? 'is-allowed' : 'is-denied'}`}>{explained.verdict}</p>
        )}
        <Notes lines={explained?.notes} />
      </div>
      {explained === null ? null : (
        <>
          <LongList class="traces" label="Problems" items={explained.problems.map((text) => `! ${text}`)} />
          <LongList class="traces" label="Policies" items={matchesFirst(explained.policies).map(traceItem)} />
        </>
      )}
    </Screen>
  );
}

/** The attributes of a line of `key=value`, whose values may hold spaces: a new one begins at its key. */
function attributesOf(line: string): string[] {
  return line
    .trim()
    .split(/\s+(?=[^\s=]+=)/)
    .filter(Boolean);
}

/** The policies that match stand before the others, which may be thousands. */
function matchesFirst(traces: readonly Trace[]): Trace[] {
  return [...traces.filter(({ matched }) => matched), ...traces.filter(({ matched }) => !matched)];
}

function traceItem(trace: Trace) {
  return (
    <>
      <span aria-hidden="true">{trace.matched ? '●' : '○'}</span> <code>{trace.policy_name}</code>{' '}
      <span class="faint">
        {trace.deny ? 'deny' : 'allow'}
        {trace.inverted ? ', inverted' : ''}
      </span>{' '}
      {trace.matched ? 'matches' : whyNot(trace)}
    </>
  );
}

function whyNot({ inverted, statements }: Trace): string {
  const met = statements.filter(({ matched }) => matched).map(({ index }) => index + 1);
  if (inverted && met.length > 0) {
    const which = statements.length > 1 ? `statement ${met.join(', ')}` : 'its statement';
    return `does not match: ${which} does, and the policy is inverted`;
  }
  const failures = statements
    .filter(({ matched }) => !matched)
    .map(({ index, failed_rule_key: key }) =>
      statements.length > 1 ? `statement ${index + 1}: “${key}”` : `“${key}”`,
    );
  return `does not match: ${failures.join('; ')}`;
}
