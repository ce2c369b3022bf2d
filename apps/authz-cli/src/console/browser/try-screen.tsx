import { useState } from 'preact/hooks';
import { ask } from './api.ts';
import { Field, LongList, Notes, Problem, Screen, useAsked, Words } from './parts.tsx';

interface Trace {
  readonly policy_name: string;
  /** Its domain in words, where policies of several are shown; else empty. */
  readonly of: string;
  readonly deny: boolean;
  readonly inverted: boolean;
  readonly matched: boolean;
  readonly statements: readonly { index: number; matched: boolean; failed_rule_key: string }[];
}

interface Asked {
  readonly subject: string;
  readonly action: string;
  readonly object: string;
  readonly attributes: readonly string[];
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
            help="one key=value a line; a key again for several values"
            rows={2}
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
          <LongList
            class="traces"
            label="Policies"
            items={matchesFirst(explained.policies).map((trace) => traceItem(trace, request))}
          />
        </>
      )}
    </Screen>
  );
}

/** The attributes of a text of one `key=value` a line, without the spaces around keys and values. */
function attributesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim().replace(/\s*=\s*/, '='))
    .filter(Boolean);
}

/** The values of a request that a rule of that key was held against, as they were sent. */
function valuesOf(request: Asked, key: string): string {
  const fixed: Partial<Record<string, string>> = {
    subject: request.subject,
    action: request.action,
    object: request.object,
  };
  const given = request.attributes
    .filter((attribute) => attribute.startsWith(`${key}=`))
    .map((attribute) => attribute.slice(key.length + 1));
  const values = [fixed[key] ?? [], given].flat();
  return values.length === 0 ? 'the request has none' : values.map((value) => `“${value}”`).join(', ');
}

/** The policies that match stand before the others, which may be thousands. */
function matchesFirst(traces: readonly Trace[]): Trace[] {
  return [...traces.filter(({ matched }) => matched), ...traces.filter(({ matched }) => !matched)];
}

function traceItem(trace: Trace, request: Asked) {
  return (
    <>
      <span aria-hidden="true">{trace.matched ? '●' : '○'}</span> <code>{trace.policy_name}</code>
      <Words text={trace.of} />{' '}
      <span class="faint">
        {trace.deny ? 'deny' : 'allow'}
        {trace.inverted ? ', inverted' : ''}
      </span>{' '}
      {trace.matched ? 'matches' : whyNot(trace, request)}
    </>
  );
}

function whyNot({ inverted, statements }: Trace, request: Asked): string {
  const met = statements.filter(({ matched }) => matched).map(({ index }) => index + 1);
  if (inverted && met.length > 0) {
    const which = statements.length > 1 ? `statement ${met.join(', ')}` : 'its statement';
    return `does not match: ${which} does, and the policy is inverted`;
  }
  const failures = statements
    .filter(({ matched }) => !matched)
    .map(({ index, failed_rule_key: key }) => {
      const failure = `“${key}” (${valuesOf(request, key)})`;
      return statements.length > 1 ? `statement ${index + 1}: ${failure}` : failure;
    });
  return `does not match: ${failures.join('; ')}`;
}
