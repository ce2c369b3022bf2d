import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

interface Props {
  /** Id of the heading inside. */
  readonly labelledBy: string;
  readonly class: string;
  /** Escape was pressed; the owner decides whether the dialog goes. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A modal dialog, open while it is mounted. The focus goes back to where it was. */
export function Dialog({ labelledBy, class: className, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isLeaving = useRef(false);
  useEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement;
    element.showModal();
    return () => {
      isLeaving.current = true;
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={className}
      aria-labelledby={labelledBy}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      // Escape twice in a row closes a dialog whatever its page says.
      onClose={() => {
        if (isLeaving.current) return;
        dialog.current!.showModal();
        onClose();
      }}
    >
      {children}
    </dialog>
  );
}
