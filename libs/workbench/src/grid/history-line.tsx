import type { Desk, DeskState } from './desk.ts';

interface Props {
  readonly desk: Desk;
  readonly state: DeskState;
}

/** Takes back what was done last, and does it again. */
export const HistoryButtons = ({ desk, state }: Props) => (
  <>
    <button type="button" disabled={!state.canUndo} title="Ctrl+Z" onClick={desk.undo}>
      Undo
    </button>
    <button type="button" disabled={!state.canRedo} title="Ctrl+Shift+Z" onClick={desk.redo}>
      Redo
    </button>
  </>
);

/** What was done or taken back last, with the button that turns it round. */
export const HistoryLine = ({ desk, state: { last } }: Props) =>
  last && (
    <span class="undo-line" role="status">
      {last.isUndone ? `Taken back: ${last.label}.` : `${last.label}.`} {last.note}{' '}
      <button type="button" class="link" onClick={last.isUndone ? desk.redo : desk.undo}>
        {last.isUndone ? 'Redo' : 'Undo'}
      </button>
    </span>
  );
