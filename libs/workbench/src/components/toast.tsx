import { useState } from 'preact/hooks';
import { plainWords } from '../api/api-error.ts';

interface Props {
  /** What was done. */
  readonly text: string;
  /** Takes it back; without it there is nothing to undo. Throws ApiError. */
  readonly undo?: (() => Promise<void>) | undefined;
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

  async function takeBack(): Promise<void> {
    setBusy(true);
    try {
      await undo!();
      close();
    } catch (failure) {
      setError(plainWords(failure));
      setBusy(false);
    }
  }

  return (
    <div class="toast" role="status">
      <p>{error ?? text}</p>
      {undo && (
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
