import { OBJECTS, type InvestigationInput } from '@platform/opinion-fusion';
import { comparable } from '@platform/workbench/claims';
import type { LeftOut } from './imported.ts';

/** What an investigation states besides its lists, such as its question and domain. */
export type Settings = Partial<InvestigationInput>;

const FIELDS = Object.entries(OBJECTS.InvestigationInput).filter(([, { kind }]) => kind !== 'list');
const LISTS = Object.entries(OBJECTS.InvestigationInput).filter(([, { kind }]) => kind === 'list');

/** The settings that an investigation states. Pure. */
export function settingsOf(input: object): Settings {
  const values = new Map(Object.entries(input));
  return Object.fromEntries(
    FIELDS.map(([name]) => [name, values.get(name) as unknown] as const).filter(([, value]) =>
      isStated(value),
    ),
  );
}

/**
 * The settings of a file that a session takes: all that it does not state itself, as long as it holds no
 * item. The others are in `differing` where the session judges otherwise by its own. Pure.
 */
export function settingsToTake(
  file: Settings,
  session: object,
): { readonly taken: Settings; readonly differing: readonly LeftOut[] } {
  const holds = new Map(Object.entries(session));
  const isEmpty = LISTS.every(([name]) => ((holds.get(name) ?? []) as unknown[]).length === 0);
  const taken: [string, unknown][] = [];
  const differing: LeftOut[] = [];
  const stated = new Map(Object.entries(file));
  for (const [name, field] of FIELDS) {
    const [value, own] = [stated.get(name), holds.get(name)] as unknown[];
    if (!isStated(value)) continue;
    if (isEmpty && !isStated(own)) taken.push([name, value]);
    else if (comparable(value, field) !== comparable(own, field))
      differing.push({
        path: name,
        reason: isStated(own)
          ? `is ${shown(value)} in the file and stays ${shown(own)} in the session`
          : `is ${shown(value)} in the file and stays unset in the session, which holds items already: set it there if it is to count`,
      });
  }
  return { taken: Object.fromEntries(taken), differing };
}

const isStated = (value: unknown) => value !== undefined && value !== null && value !== '';

const shown = (value: unknown) => JSON.stringify(value).slice(0, 200);
