import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';

interface Props {
  /** Id of the heading inside. */
  readonly labelledBy: string;
  readonly class: string;
  /** Escape was pressed; the owner decides whether the dialog goes. */
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** Open dialogs, the topmost last. */
const stack: symbol[] = [];

/** Whether any dialog is open; the screen behind an open dialog must not change. */
export const isDialogOpen = (): boolean => stack.length > 0;

/**
 * A modal dialog, open while it is mounted. The focus goes back to where it was. Back in the browser is
 * Escape.
 */
export function Dialog({ labelledBy, class: className, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isLeaving = useRef(false);
  const close = useRef(onClose);
  close.current = onClose;
  // At once: keys that follow the one that opens it are meant for the dialog.
  useLayoutEffect(() => {
    const element = dialog.current!;
    const before = document.activeElement;
    const self = Symbol('dialog');
    const { href } = location;
    const onBack = (event: PopStateEvent) => {
      if (stack.at(-1) !== self) return;
      event.stopImmediatePropagation();
      history.pushState(null, '', href);
      close.current();
    };
    element.showModal();
    stack.push(self);
    addEventListener('popstate', onBack, { capture: true });
    return () => {
      isLeaving.current = true;
      stack.splice(stack.indexOf(self), 1);
      removeEventListener('popstate', onBack, { capture: true });
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
        // That nothing was chosen from a field for files comes up to here, too.
        if (event.target !== event.currentTarget) return;
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
