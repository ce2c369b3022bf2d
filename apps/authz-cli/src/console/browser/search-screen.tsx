import { useState } from 'preact/hooks';
import { ask } from './api.ts';
import { Field, LongList, Notes, Problem, Screen, useAsked } from './parts.tsx';

/** What a subject may do: resources for an action, or actions on an object. */
export function SearchScreen({ domain, subjectId }: { readonly domain: string; readonly subjectId: string }) {
  const [subject, setSubject] = useState(subjectId);
  const [action, setAction] = useState('read');
  const [object, setObject] = useState('');
  const request = { domain, subject, action, object };
  const asked = useAsked<{ found: string[]; is_all: boolean; notes: string[] }>(JSON.stringify(request));
  return (
    <Screen
      title="What may a subject do?"
      lead="The registered resources for an action, or with an object the actions on it. Each item is a decision in the audit."
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void asked.run(() => ask('search', request));
        }}
      >
        <div class="form-grid">
          <Field label="Subject" value={subject} onValue={setSubject} isRequired />
          <Field
            label="Action"
            value={action}
            onValue={setAction}
            help={object === '' ? undefined : 'not used: all actions on the object are listed'}
          />
          <Field label="Object" value={object} onValue={setObject} help="leave empty for resources" />
        </div>
        <div class="form-actions">
          <button type="submit" class="primary" disabled={asked.isBusy}>
            Search
          </button>
        </div>
      </form>
      <Problem text={asked.error} />
      <div role="status">
        {asked.value === null ? null : (
          <p class="count">
            {asked.value.found.length === 0 ? 'Nothing.' : `${asked.value.found.length} found`}
            {asked.value.is_all ? '' : ', and more: `platform search` lists all'}
          </p>
        )}
        <Notes lines={asked.value?.notes} />
      </div>
      <LongList
        class="found"
        label="Found"
        items={(asked.value?.found ?? []).map((name, index) => (
          <code key={index}>{name}</code>
        ))}
      />
    </Screen>
  );
}
