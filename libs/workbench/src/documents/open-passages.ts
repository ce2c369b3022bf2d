import { useEffect } from 'preact/hooks';

/** Documents that are open on the page for words to be selected in them, of which none are pinned yet. */
const open = new Set<symbol>();

/** Marks that the calling component shows such a document while `isOpen`. */
export function useOpenPassage(isOpen: boolean): void {
  useEffect(() => {
    if (!isOpen) return undefined;
    const passage = Symbol('passage');
    open.add(passage);
    return () => void open.delete(passage);
  }, [isOpen]);
}

export const hasOpenPassage = (): boolean => open.size > 0;
