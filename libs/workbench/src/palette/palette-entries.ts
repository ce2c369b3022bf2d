import { plain, readable, shortened } from '@platform/viewer/browser';
import { nameOf, type Entity } from '../edit/kinds.ts';
import { itemsOf } from '../edit/payload-change.ts';
import { cellText } from '../grid/columns.ts';
import { READING_TABS, TAB_TITLES, TABS, type Goal } from '../browser/tabs.ts';

export interface PaletteEntry {
  readonly key: string;
  readonly kind: 'Action' | 'Subject' | 'Source' | 'Claim';
  readonly text: string;
  readonly goal: Goal;
}

/** Entries of one kind that are listed; more words find the rest. */
const SHOWN = 8;
const TEXT_LENGTH = 110;

/** What undo takes back and redo does again; null for nothing. */
export interface History {
  readonly undoes: string | null;
  readonly redoes: string | null;
}

const NO_HISTORY: History = { undoes: null, redoes: null };

const actionsOf = ({ undoes, redoes }: History, mayInvite: boolean): readonly (readonly [string, Goal])[] => [
  ['Judge', { to: 'judge' }],
  ['Add a claim', { to: 'add-claim' }],
  ...(undoes === null ? [] : [[`Undo: ${undoes}`, { to: 'undo' }] as const]),
  ...(redoes === null ? [] : [[`Redo: ${redoes}`, { to: 'redo' }] as const]),
  ...TABS.map((tab) => [`Go to ${TAB_TITLES[tab]}`, { to: 'tab', tab }] as const),
  ...(mayInvite ? [['Invite colleagues', { to: 'invite' }] as const] : []),
  ['All investigations', { to: 'sessions' }],
];

/** Entries that are listed, and how many there are. */
export interface Found {
  readonly entries: readonly PaletteEntry[];
  readonly total: number;
}

/**
 * The actions, subjects, sources and claims that hold every word of a text, the first of each kind; actions
 * alone for none, and for somebody who changes nothing those of theirs. Pure.
 */
export function paletteEntries(
  payload: object,
  text: string,
  mayEdit = true,
  history: History = NO_HISTORY,
  mayInvite = false,
): Found {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (haystack: string) => {
    const folded = haystack.toLowerCase();
    return words.every((word) => folded.includes(word));
  };
  const actions = actionsOf(history, mayInvite)
    .filter(([name, goal]) => fits(name) && (mayEdit || isReading(goal)))
    .map(([name, goal]): PaletteEntry => ({
      key: name,
      kind: 'Action',
      text: name,
      goal,
    }));
  if (words.length === 0 || !mayEdit) return { entries: actions, total: actions.length };
  const fitting = (list: 'subjects' | 'actors') =>
    itemsOf(payload, list).filter((item) => fits(`${nameOf(item)} ${item.id}`));
  const named = (items: readonly Entity[], kind: 'Subject' | 'Source') =>
    items.slice(0, SHOWN).map((item): PaletteEntry => {
      const name = nameOf(item) || item.id;
      const shown = shortened(plain(name), TEXT_LENGTH);
      return { key: `${kind} ${item.id}`, kind, text: shown, goal: { to: 'filter', filter: name } };
    });
  const subjects = fitting('subjects');
  const sources = fitting('actors');
  const claims = itemsOf(payload, 'claims').filter((claim) =>
    fits(
      ['content', 'actor_id', 'subject_id', 'predicate', 'value', 'id']
        .map((field) => cellText(payload, claim, field))
        .join(' '),
    ),
  );
  const shownClaims = claims.slice(0, SHOWN).map((claim): PaletteEntry => {
    const what = `${cellText(payload, claim, 'subject_id')}, ${readable(cellText(payload, claim, 'predicate'))}: ${cellText(payload, claim, 'value')}`;
    const shown = shortened(plain(`${what} (${cellText(payload, claim, 'actor_id')})`), TEXT_LENGTH);
    return { key: `Claim ${claim.id}`, kind: 'Claim', text: shown, goal: { to: 'claim', id: claim.id } };
  });
  return {
    entries: [...actions, ...named(subjects, 'Subject'), ...named(sources, 'Source'), ...shownClaims],
    total: actions.length + subjects.length + sources.length + claims.length,
  };
}

const isReading = (goal: Goal) =>
  goal.to === 'sessions' || (goal.to === 'tab' && READING_TABS.includes(goal.tab));
