import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { completed } from './columns.ts';

interface Props {
  readonly label: string;
  readonly text: string;
  /** What completes what is typed. */
  readonly completions: () => readonly string[];
  /** Whether it takes the focus as it appears. */
  readonly takesFocus: boolean;
  /** Whether it opens with the caret in the text. */
  readonly opensEditing: boolean;
  /** Whether Enter opens it; while a row is typed with Tab, Enter leads to the next row. */
  readonly opensOnEnter: boolean;
  readonly describedBy: string;
  readonly commit: (text: string) => void;
  /** A key that is not about the text: it moves the selection, or acts on it. */
  readonly onKey: (event: KeyboardEvent) => void;
  readonly onCopy: (event: ClipboardEvent) => void;
  readonly onPaste: (event: ClipboardEvent) => void;
}

/** Keys that end typing and move on; with the caret placed in the text, arrows move the caret. */
const LEAVING = new Set(['Enter', 'Tab']);
const ARROWS = new Set(['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'PageUp', 'PageDown']);

/**
 * The control of the cell that has the focus. It lies over the cell unseen until something is typed, so that
 * every way of typing works, those of input methods and dead keys among them.
 */
export function CellEditor(props: Props) {
  const { label, text, completions, takesFocus, opensEditing, describedBy, commit, onKey } = props;
  const control = useRef<HTMLTextAreaElement>(null);
  /** `ready`: nothing typed; `typing`: arrows end it; `editing`: arrows move the caret. */
  const [mode, setMode] = useState<'ready' | 'typing' | 'editing'>(opensEditing ? 'editing' : 'ready');
  /** What is typed and not committed; null while nothing is. */
  const typed = useRef<string | null>(null);
  const last = useRef(commit);
  last.current = commit;

  useLayoutEffect(() => {
    if (takesFocus) control.current!.focus({ preventScroll: true });
  }, [takesFocus]);
  useLayoutEffect(() => {
    if (mode !== 'editing') return;
    const area = control.current!;
    area.value = typed.current ??= text;
    area.setSelectionRange(area.value.length, area.value.length);
  }, [mode]);
  // A click on another cell takes this control away with what was typed into it.
  useLayoutEffect(
    () => () => {
      if (typed.current !== null) last.current(typed.current);
    },
    [],
  );

  function finish(): void {
    const next = typed.current;
    cancel();
    if (next !== null && next !== text) commit(next);
  }

  function cancel(): void {
    typed.current = null;
    control.current!.value = '';
    setMode('ready');
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (event.isComposing) return;
    if (mode === 'ready') {
      if (
        event.key === 'F2' ||
        (event.key === 'Enter' && props.opensOnEnter && !event.ctrlKey && !event.metaKey && !event.shiftKey)
      ) {
        event.preventDefault();
        setMode('editing');
      } else onKey(event);
      return;
    }
    if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      cancel();
    } else if (event.key === 'F2') {
      event.preventDefault();
      setMode(mode === 'typing' ? 'editing' : 'typing');
    } else if (event.key === 'Enter' && event.altKey) {
      event.preventDefault();
      const area = control.current!;
      area.setRangeText('\n', area.selectionStart, area.selectionEnd, 'end');
      typed.current = area.value;
    } else if (LEAVING.has(event.key) || (mode === 'typing' && ARROWS.has(event.key))) {
      finish();
      onKey(event);
    }
  }

  function onInput(event: InputEvent): void {
    const area = control.current!;
    typed.current = area.value;
    if (mode === 'ready') setMode('typing');
    if (event.isComposing || event.inputType !== 'insertText' || area.selectionStart !== area.value.length)
      return;
    const start = area.value.length;
    const whole = completed(area.value, completions());
    if (whole === null) return;
    area.value = typed.current = whole;
    area.setSelectionRange(start, whole.length);
  }

  return (
    <textarea
      ref={control}
      class={mode === 'ready' ? 'cell-editor' : 'cell-editor is-open'}
      rows={1}
      dir="auto"
      spellcheck={mode !== 'ready'}
      autocomplete="off"
      aria-label={label}
      aria-describedby={describedBy}
      // A tap selects; only a second one asks for the keyboard.
      inputMode={mode === 'ready' ? 'none' : undefined}
      onKeyDown={onKeyDown}
      onInput={onInput}
      // What takes the control away commits what was typed, and the browser tells it of the focus it lost.
      onBlur={() => control.current !== null && finish()}
      onCopy={(event) => mode === 'ready' && props.onCopy(event)}
      onCut={(event) => mode === 'ready' && props.onCopy(event)}
      onPaste={(event) => mode === 'ready' && props.onPaste(event)}
    />
  );
}
