import { useEffect } from 'preact/hooks';
import { isDialogOpen } from '../components/dialog.tsx';
import type { Desk } from './desk.ts';

/** Lets Ctrl+Z take back what was done last, and Ctrl+Shift+Z do it again, outside of fields. */
export function useHistoryKeys(desk: Desk, isActive: boolean): void {
  useEffect(() => {
    if (!isActive) return undefined;
    const onKey = (event: KeyboardEvent) => {
      const isText =
        event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
      if (isText || isDialogOpen() || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z')
        return;
      event.preventDefault();
      if (event.shiftKey) desk.redo();
      else desk.undo();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isActive, desk]);
}
