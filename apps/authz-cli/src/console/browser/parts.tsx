import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Failed } from './api.ts';

/** A labelled text field; `help` stands below it. */
export function Field({
  label,
  value,
  onValue,
  help,
  isRequired = false,
  rows,
}: {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly help?: string;
  readonly isRequired?: boolean;
  /** The lines that a field of several shows; a field of one without it. */
  readonly rows?: number;
}) {
  const id = useId();
  const attributes = {
    id,
    class: 'code',
    value,
    required: isRequired,
    autocomplete: 'off',
    spellcheck: false,
    'aria-describedby': help === undefined ? undefined : `${id}-help`,
    onInput: (event: { currentTarget: { value: string } }) => onValue(event.currentTarget.value),
  };
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {rows === undefined ? <input {...attributes} /> : <textarea {...attributes} rows={rows} />}
      {help === undefined ? null : (
        <p id={`${id}-help`} class="field-help">
          {help}
        </p>
      )}
    </div>
  );
}

/**
 * The state of something that is asked for when a user says so. With `of`, which names the request that the
 * fields hold, an error of another request is not shown, and its value is `earlier`. A response that a later
 * request or `clear` has overtaken is left out.
 */
export function useAsked<T>(of = ''): {
  readonly value: T | null;
  readonly earlier: T | null;
  readonly error: string | null;
  readonly isBusy: boolean;
  readonly run: (work: () => Promise<T>) => Promise<void>;
  readonly clear: () => void;
} {
  const nothing = { of, value: null, error: null, isBusy: false };
  const [state, setState] = useState<{
    of: string;
    value: T | null;
    error: string | null;
    isBusy: boolean;
  }>(nothing);
  const isCurrent = state.of === of;
  const runs = useRef(0);
  return {
    value: isCurrent ? state.value : null,
    earlier: isCurrent ? null : state.value,
    error: isCurrent ? state.error : null,
    isBusy: state.isBusy,
    clear() {
      runs.current += 1;
      setState(nothing);
    },
    async run(work) {
      const run = (runs.current += 1);
      setState((before) => ({ ...before, error: null, isBusy: true }));
      try {
        const value = await work();
        if (run === runs.current) setState({ of, value, error: null, isBusy: false });
      } catch (error) {
        if (run !== runs.current) return;
        setState((before) => ({
          of,
          value: before.of === of ? before.value : null,
          error: wordsOf(error),
          isBusy: false,
        }));
      }
    },
  };
}

const CONFLICT =
  'not saved: somebody else changed the policies meanwhile. Keep your text elsewhere, read again, and put it back in.';

/** An error in words. */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Failed)) return String(error);
  if (error.reason === 'VERSION_CONFLICT') return CONFLICT;
  return error.reason === 'LOCKOUT' ? `not saved: ${error.message}` : error.message;
}

/** What went wrong, read out when it appears. */
export function Problem({ text }: { readonly text: string | null }) {
  return <div role="alert">{text === null ? null : <pre class="problem">{text}</pre>}</div>;
}

/** What the user may have meant, in sentences. */
export function Notes({ lines = [] }: { readonly lines: readonly string[] | undefined }) {
  return lines.map((line) => (
    <p class="count" key={line}>
      {line}
    </p>
  ));
}

/** A sentence with what stands between backticks as code; as it is where a backtick has no other. */
export function Words({ text }: { readonly text: string }) {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return <>{text}</>;
  return <>{parts.map((part, index) => (index % 2 === 0 ? part : <code key={index}>{part}</code>))}</>;
}

/** A screen under its heading. */
export function Screen({
  title,
  lead,
  children,
}: {
  readonly title: string;
  readonly lead: string;
  readonly children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} – platform console`;
  }, [title]);
  return (
    <>
      <header class="screen-head">
        <div>
          <h1 tabIndex={-1}>{title}</h1>
          <p class="faint">{lead}</p>
        </div>
      </header>
      {children}
    </>
  );
}

/** Items that a list shows before its reader asks for the others. */
const ITEMS_SHOWN = 50;

/** How many items a list has besides those that the page got, and what they are. */
export interface Unlisted {
  readonly count: number;
  readonly words: string;
}

/** A list that shows its first items, and in a fold the others and what is not listed. */
export function LongList({
  items,
  class: className,
  label,
  unlisted = { count: 0, words: '' },
}: {
  readonly items: readonly ComponentChildren[];
  readonly class: string;
  readonly label: string;
  readonly unlisted?: Unlisted;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const others = items.slice(ITEMS_SHOWN);
  const more = others.length + unlisted.count;
  return (
    <>
      <ListItems items={items.slice(0, ITEMS_SHOWN)} class={className} label={label} />
      {more === 0 ? null : (
        <details open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>and {more.toLocaleString('en')} more</summary>
          {isOpen ? <ListItems items={others} class={className} label={`${label}, continued`} /> : null}
          {unlisted.count === 0 ? null : <p class="count">{unlisted.words}</p>}
        </details>
      )}
    </>
  );
}

function ListItems(list: {
  readonly items: readonly ComponentChildren[];
  readonly class: string;
  readonly label: string;
}) {
  if (list.items.length === 0) return null;
  return (
    <ul class={list.class} aria-label={list.label}>
      {list.items.map((item, index) => (
        <li key={index}>{item}</li>
      ))}
    </ul>
  );
}

/** A table that a keyboard can scroll on narrow screens. */
export function Table({
  caption,
  head,
  rows,
}: {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly ComponentChildren[])[];
}) {
  return (
    <div class="scroll" role="region" aria-label={caption} tabIndex={0}>
      <table class="console-table">
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, index) => (
            <tr key={index}>
              {cells.map((cell, at) => (
                <td key={at} data-title={head[at]}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
