import { useLayoutEffect } from 'preact/hooks';

/** Forms on the page that hold what was not saved. */
const holders = new Set<symbol>();

/** Marks that the calling component holds unsaved text while `isUnsaved`. */
export function useUnsaved(isUnsaved: boolean): void {
  useLayoutEffect(() => {
    if (!isUnsaved) return undefined;
    const holder = Symbol('unsaved');
    holders.add(holder);
    return () => void holders.delete(holder);
  }, [isUnsaved]);
}

/** Lets go of all that was not saved, as when what it belongs to is gone. */
export const discardUnsaved = (): void => holders.clear();

export const hasUnsaved = (): boolean => holders.size > 0;

/** Whether what is on the page may go: asks when something unsaved would be lost. */
export function mayLeave(isUnsaved = hasUnsaved()): boolean {
  return !isUnsaved || confirm('What you have not saved will be lost. Leave it?');
}

/** Lets the browser ask before the page itself goes. */
export function guardUnload(): void {
  addEventListener('beforeunload', (event) => {
    if (hasUnsaved()) event.preventDefault();
  });
}
