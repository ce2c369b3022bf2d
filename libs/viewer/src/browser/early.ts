import { readFragment } from '../format/fragments.ts';
import { startTabs } from './tabs.ts';

/** Runs before the first paint, so that the panes that are not asked for are never seen. */
const root = document.documentElement;
root.classList.add('scripted');
const asked = readFragment(location.hash.slice(1));
if (asked?.kind === 'pane' || asked?.kind === 'part') root.dataset['pane'] = asked.pane;
if (asked?.kind === 'verdict') root.dataset['pane'] = 'overview';
document.addEventListener('DOMContentLoaded', startTabs);
