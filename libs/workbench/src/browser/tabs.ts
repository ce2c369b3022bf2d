import { useEffect, useRef, useState } from 'preact/hooks';
import { PANE_IDS, PANES, type PaneId } from '@platform/viewer/browser';

export const TABS = ['edit', 'claims', ...PANE_IDS, 'history', 'publish'] as const;
export type Tab = (typeof TABS)[number];

export const TAB_TITLES: Readonly<Record<Tab, string>> = {
  edit: 'Edit',
  claims: 'Claims',
  ...(Object.fromEntries(PANE_IDS.map((id) => [id, PANES[id].title])) as Record<PaneId, string>),
  history: 'History',
  publish: 'Publish',
};

/** Those of somebody who changes nothing. */
export const READING_TABS: readonly Tab[] = TABS.filter((tab) => tab !== 'edit' && tab !== 'claims');

export const isPane = (tab: Tab): tab is PaneId => (PANE_IDS as readonly string[]).includes(tab);

/**
 * The tab that a fragment (without `#`) leads to; null for one that leaves the tab as it is, such as a
 * claim's.
 */
function tabOf(fragment: string, tabs: readonly Tab[]): Tab | null {
  if (fragment.startsWith('verdict-')) return 'overview';
  return tabs.find((tab) => fragment === tab || fragment.startsWith(`${tab}-`)) ?? null;
}

/**
 * The tab on view, of `tabs`, as the address has it, and how to show another. The drawer learns from the
 * document which one it is.
 */
export function useTab(first: Tab, tabs: readonly Tab[]): [Tab, (next: (shown: Tab) => Tab) => void] {
  const [tab, setTab] = useState<Tab>(() => tabOf(location.hash.slice(1), tabs) ?? first);
  const shown = useRef(tab);
  shown.current = tab;
  document.documentElement.dataset['pane'] = tab;
  useEffect(() => {
    const follow = () => {
      const fragment = location.hash.slice(1);
      const next = tabOf(fragment, tabs);
      if (next === null) return;
      setTab(next);
      requestAnimationFrame(() => showTarget(fragment));
    };
    addEventListener('hashchange', follow);
    addEventListener('popstate', follow);
    return () => {
      removeEventListener('hashchange', follow);
      removeEventListener('popstate', follow);
      delete document.documentElement.dataset['pane'];
    };
  }, []);
  return [
    tab,
    (choose) => {
      const next = choose(shown.current);
      if (next !== shown.current) history.pushState(null, '', `#${next}`);
      setTab(next);
    },
  ];
}

/** Scrolls to the element that a fragment names, and unfolds it. */
function showTarget(fragment: string): void {
  if ((TABS as readonly string[]).includes(fragment)) return;
  const target = document.getElementById(fragment);
  for (const fold of [target?.closest('details'), target?.querySelector('details')])
    if (fold) fold.open = true;
  target?.scrollIntoView({ block: 'start' });
}

/** Where an entry of the palette leads. */
export type Goal =
  | { readonly to: 'tab'; readonly tab: Tab }
  | { readonly to: 'filter'; readonly filter: string }
  | { readonly to: 'claim'; readonly id: string }
  | { readonly to: 'judge' | 'undo' | 'redo' | 'add-claim' | 'invite' | 'sessions' };
