import type { ComponentChildren } from 'preact';
import { navigate, pathOf, type Route } from '../browser/route.ts';

/** A link within the workbench; opens in another tab as links do when asked so. */
export function Link({
  to,
  children,
  class: className,
}: {
  to: Route;
  children: ComponentChildren;
  class?: string;
}) {
  return (
    <a
      class={className}
      href={pathOf(to)}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        navigate(to);
      }}
    >
      {children}
    </a>
  );
}
