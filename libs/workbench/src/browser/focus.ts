import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

/**
 * A heading that takes the focus when its screen appears, so that screen readers read where they are. Names
 * the document too.
 */
export function useScreenTitle(title: string) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Workbench`;
  }, [title]);
  // After the next frame it would take the focus from what the user has clicked by then.
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return heading;
}

/** Whether the element that had the focus is gone. */
const isFocusLost = (): boolean =>
  document.activeElement === null || document.activeElement.matches('body, dialog');

/**
 * Unfolds what holds errors, and moves the focus to the first control that is wrong, once it is drawn. Where
 * none is, and the focus was lost with a control that was switched off meanwhile, to the form's own button.
 */
export function focusFirstError(form: HTMLElement | null): void {
  requestAnimationFrame(() => {
    for (const folded of form?.querySelectorAll<HTMLDetailsElement>('details:has(.field-error)') ?? [])
      folded.open = true;
    const control =
      form?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
      (isFocusLost() ? form?.querySelector<HTMLElement>('[type="submit"]') : null);
    control?.focus();
    control?.scrollIntoView({ block: 'center' });
  });
}

/** Moves the focus to the element with an id, once it is drawn, where what had it is gone. */
export function focusIfLost(id: string): void {
  requestAnimationFrame(() => {
    if (isFocusLost()) document.getElementById(id)?.focus();
  });
}
