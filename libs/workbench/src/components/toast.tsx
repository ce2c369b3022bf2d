import { useState } from 'preact/hooks';
import { plainWords } from '../api/api-error.ts';

interface Props {
  /** The text says what was done. */
  readonly text: string;
  /**
   * Takes it back, and says what of it could not be; without it there is nothing to undo. Throws ApiError.
   */
  readonly undo?: (() => Promise<string | undefined>) | undefined;
  /** What is mostly done next, with the label of its button. */
  readonly next?: { readonly label: string; readonly run: () => void } | undefined;
  readonly close: () => void;
}

/**
 * A message about what was just done, with a button that takes it back. It stays until it is closed or
 * replaced.
 */
export function Toast({ text, undo, next, close }: Props) {
  const [error, setError] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** What could not be taken back, once the rest was. */
  const [left, setLeft] = useState<string | null>(null);

  async function takeBack(): Promise<void> {
    setBusy(true);
    try {
      const stays = await undo!();
      if (stays === undefined) close();
      else setLeft(stays);
    } catch (failure) {
      setError(plainWords(failure));
      setBusy(false);
    }
  }

  return (
    <div class="toast" role="status">
      <p>{left ?? error ?? text}</p>
      {undo && left === null && (
        <button type="button" disabled={isBusy} onClick={() => void takeBack()}>
          Undo
        </button>
      )}
      {next && (
        <button
          type="button"
          onClick={() => {
            close();
            next.run();
          }}
        >
          {next.label}
        </button>
      )}
      <button type="button" class="quiet" onClick={close}>
        Close
      </button>
    </div>
  );
}
