import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Dialog } from './dialog.tsx';
import { Failure } from './failure.tsx';

interface Props {
  readonly title: string;
  /** What follows from it. */
  readonly children: ComponentChildren;
  /** The button that does it, and what it says meanwhile. */
  readonly yes: string;
  readonly busy: string;
  readonly no: string;
  /** Throws ApiError, which is shown in the dialog. */
  readonly onYes: () => Promise<void>;
  readonly close: () => void;
}

/** Asks before something is done that cannot be undone. It closes by itself once that is done. */
export function Confirm({ title, children, yes, busy, no, onYes, close }: Props) {
  const titleId = useId();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);

  async function act(): Promise<void> {
    setBusy(true);
    setError(null);
    try {
      await onYes();
      close();
    } catch (failure) {
      setError(failure);
      setBusy(false);
    }
  }

  return (
    <Dialog class="box" labelledBy={titleId} onClose={close}>
      <h2 id={titleId}>{title}</h2>
      {children}
      <Failure error={error} />
      <div class="form-actions">
        <button type="button" onClick={close}>
          {no}
        </button>
        <button type="button" class="danger" disabled={isBusy} onClick={() => void act()}>
          {isBusy ? busy : yes}
        </button>
      </div>
    </Dialog>
  );
}
