import { OBJECTS, type ObjectName } from '@platform/opinion-fusion';
import { shortened, visible } from '@platform/viewer/browser';
import { ApiError } from '../api/api-error.ts';
import type { Problem } from '../api/problems.ts';
import { KINDS, labelOf, type Entity, type KindSpec } from './kinds.ts';
import { itemsOf } from './payload-change.ts';

/**
 * A session is open in several tabs and to several people, and a write takes whatever it finds. So before
 * each one the page looks whether what it is about to replace is still what its user saw.
 */

const VALUE_LENGTH = 80;
const NAMES_MAX = 5;

const isSame = (one: unknown, other: unknown) =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

const shown = (value: unknown) =>
  value === undefined || value === null ? 'nothing' : visible(shortened(JSON.stringify(value), VALUE_LENGTH));

/**
 * The error (412) of writing `next` over an item of which the user saw `seen` and the service has `stored`,
 * null where there is none; null when nothing is lost by it. `next` is null for a deletion.
 */
export function itemClash(
  spec: KindSpec,
  { seen, stored, next }: { readonly seen: Entity } & Record<'stored' | 'next', Entity | null>,
): ApiError | null {
  if (isSame(seen, stored) || isSame(stored, next)) return null;
  if (stored === null)
    return next === null
      ? null
      : clash(
          'It was deleted elsewhere since you opened it, in another tab or by somebody else.',
          [],
          'Save',
        );
  return clash(
    'It was changed elsewhere since you opened it, in another tab or by somebody else. Nothing was overwritten.',
    fieldsChanged(spec.object, seen, stored),
    next === null ? 'Delete' : 'Save',
  );
}

function clash(what: string, problems: readonly Problem[], act: 'Save' | 'Delete'): ApiError {
  const again =
    act === 'Save' ? 'Save again to put yours in place of it' : 'Delete again to delete it anyway';
  return new ApiError(412, `${what} ${again}, or cancel to leave it so.`, { problems });
}

/** Each field in which two items differ, with what the second says. */
function fieldsChanged(object: ObjectName, seen: Entity, stored: Entity): Problem[] {
  return [...new Set([...Object.keys(OBJECTS[object]), ...Object.keys(seen), ...Object.keys(stored)])]
    .filter((name) => !isSame(seen[name], stored[name]))
    .map((name) => ({ path: name, message: `was changed elsewhere, to ${shown(stored[name])}` }));
}

/** A session as far as an update can change it. */
export interface Contents {
  readonly name: string;
  readonly payload: object;
}

/**
 * The error (412) of sending an update (UpdateSessionRequest) made from `seen` to a session that now is
 * `stored`; null when it touches nothing that differs between them.
 */
export function updateClash(
  change: Readonly<Record<string, unknown>>,
  seen: Contents,
  stored: Contents,
): ApiError | null {
  const problems = [...itemsChanged(change, seen, stored), ...settingsChanged(change, seen, stored)];
  if (problems.length === 0) return null;
  const names = problems.slice(0, NAMES_MAX).map(({ path }) => labelOf(path));
  const others = problems.length - names.length;
  return new ApiError(
    412,
    `Changed elsewhere since you opened it, in another tab or by somebody else: ${names.join(', ')}${others > 0 ? ` and ${others} more` : ''}. Nothing was overwritten. What you wrote is still here; save again to put it in place of theirs.`,
    { problems },
  );
}

function itemsChanged(change: Readonly<Record<string, unknown>>, seen: Contents, stored: Contents) {
  return KINDS.flatMap(({ kind, removalsField }) => {
    const items = itemsOf(change, kind);
    const gone = (change[removalsField] as readonly string[] | undefined) ?? [];
    if (items.length === 0 && gone.length === 0) return [];
    const before = byId(itemsOf(seen.payload, kind));
    const now = byId(itemsOf(stored.payload, kind));
    const wanted = [
      ...items.map((item) => [item.id, item] as const),
      ...gone.map((id) => [id, undefined] as const),
    ];
    return wanted
      .filter(([id, next]) => !isSame(before.get(id), now.get(id)) && !isSame(now.get(id), next))
      .map(([id]) => ({ path: `${kind} ${id}`, message: verb(before.has(id), now.has(id)) }));
  });
}

const verb = (was: boolean, is: boolean) =>
  !was ? 'was added elsewhere' : is ? 'was changed elsewhere' : 'was deleted elsewhere';

const byId = (items: readonly Entity[]) => new Map(items.map((item) => [item.id, item]));

function settingsChanged(change: Readonly<Record<string, unknown>>, seen: Contents, stored: Contents) {
  const before: Record<string, unknown> = { ...seen.payload, name: seen.name };
  const now: Record<string, unknown> = { ...stored.payload, name: stored.name };
  return Object.keys(change)
    .filter((field) => field === 'name' || OBJECTS.InvestigationInput[field] !== undefined)
    .filter((field) => field === 'name' || OBJECTS.InvestigationInput[field]!.kind !== 'list')
    .filter((field) => !isSame(before[field], now[field]) && !isSame(now[field], change[field]))
    .map((field) => ({ path: field, message: `was changed elsewhere, to ${shown(now[field])}` }));
}
