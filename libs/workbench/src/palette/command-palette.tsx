import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { count, counted, visible } from '@platform/viewer/browser';
import { Dialog, isDialogOpen } from '../components/dialog.tsx';
import type { Goal } from '../browser/tabs.ts';
import { paletteEntries, type History } from './palette-entries.ts';

const LIST_ID = 'palette-list';
const optionId = (index: number) => `palette-${index}`;

interface Props {
  readonly payload: object;
  readonly mayEdit: boolean;
  readonly mayInvite: boolean;
  readonly history: History;
  readonly go: (goal: Goal) => void;
}

/** A dialog that Ctrl+K opens: every action, subject, source and claim, found by words. */
export function CommandPalette(props: Props) {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey || isDialogOpen()) return;
      event.preventDefault();
      setOpen(true);
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <button
        type="button"
        class="palette-button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => setOpen(true)}
      >
        Find or do … <kbd>Ctrl K</kbd>
      </button>
      {isOpen && <Palette {...props} close={() => setOpen(false)} />}
    </>
  );
}

/** A combobox after the ARIA authoring practices. */
function Palette({
  payload,
  mayEdit,
  mayInvite,
  history,
  go,
  close,
}: Props & { readonly close: () => void }) {
  const [text, setText] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const control = useRef<HTMLInputElement>(null);
  const { entries, total } = useMemo(
    () => paletteEntries(payload, text, mayEdit, history, mayInvite),
    [payload, text, mayEdit, mayInvite, history.undoes, history.redoes],
  );
  const at = Math.min(chosen, entries.length - 1);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [at]);
  useLayoutEffect(() => control.current!.focus(), []);

  function choose(index: number): void {
    const entry = entries[index];
    if (entry === undefined) return;
    close();
    // The dialog gives the focus back before the goal takes it.
    requestAnimationFrame(() => go(entry.goal));
  }

  function onKeyDown(event: KeyboardEvent): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setChosen((at + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      choose(at);
    }
  }

  return (
    <Dialog class="box palette" labelledBy="palette-title" onClose={close}>
      <h2 id="palette-title" class="visually-hidden">
        Find or do
      </h2>
      <input
        ref={control}
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls={LIST_ID}
        aria-activedescendant={entries.length > 0 ? optionId(at) : undefined}
        aria-autocomplete="list"
        aria-label="A subject, source, claim or action"
        placeholder="A subject, source, claim or action"
        autocomplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <p class={total > entries.length ? 'field-help' : 'visually-hidden'} role="status">
        {counted(total, 'hit')}
        {total > entries.length && `, ${count(entries.length)} of them listed: more words find the others`}
      </p>
      <ul id={LIST_ID} ref={list} class="palette-list" role="listbox" aria-label="What was found">
        {entries.map(({ key, kind, text: shown }, index) => (
          <li
            key={key}
            id={optionId(index)}
            role="option"
            aria-selected={index === at}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => choose(index)}
          >
            <span class="palette-kind">{kind}</span> <span dir="auto">{visible(shown)}</span>
          </li>
        ))}
      </ul>
      {entries.length === 0 && <p class="empty">Nothing has all of these words.</p>}
    </Dialog>
  );
}
