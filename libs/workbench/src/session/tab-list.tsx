import { useEffect, useRef } from 'preact/hooks';
import { TAB_TITLES, type Tab } from '../browser/tabs.ts';

interface Props {
  readonly tabs: readonly Tab[];
  readonly shown: Tab;
  readonly show: (tab: Tab) => void;
}

/** Tabs after the ARIA authoring practices: arrow keys move, Home and End jump. */
export function TabList({ tabs, shown, show }: Props) {
  const list = useRef<HTMLUListElement>(null);
  // On a phone the tabs scroll sideways: the chosen one stays in view, and the page does not move.
  useEffect(() => {
    const row = list.current!;
    const chosen = row.querySelector(`#tab-${shown}`)!.getBoundingClientRect();
    const left = chosen.left - row.getBoundingClientRect().left;
    row.scrollLeft += left - (row.clientWidth - chosen.width) / 2;
  }, [shown]);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextTab(tabs, shown, event.key);
    if (next === undefined) return;
    event.preventDefault();
    show(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <ul role="tablist" aria-label="Parts of the investigation" ref={list} onKeyDown={onKeyDown}>
      {tabs.map((tab) => (
        <li key={tab} role="presentation">
          <a
            id={`tab-${tab}`}
            role="tab"
            href={`#${tab}`}
            aria-selected={tab === shown}
            aria-controls={tab === shown ? tab : undefined}
            tabIndex={tab === shown ? 0 : -1}
            onClick={(event) => {
              if (event.ctrlKey || event.metaKey || event.shiftKey) return;
              event.preventDefault();
              show(tab);
            }}
          >
            {TAB_TITLES[tab]}
          </a>
        </li>
      ))}
    </ul>
  );
}

function nextTab(tabs: readonly Tab[], shown: Tab, key: string): Tab | undefined {
  const index = tabs.indexOf(shown);
  if (key === 'ArrowRight') return tabs[(index + 1) % tabs.length];
  if (key === 'ArrowLeft') return tabs.at(index - 1);
  if (key === 'Home') return tabs[0];
  if (key === 'End') return tabs.at(-1);
  return undefined;
}
