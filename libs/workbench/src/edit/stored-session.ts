import { OBJECTS } from '@platform/opinion-fusion';
import { sessionPath, type Api } from '../api/api.ts';
import { ApiError } from '../api/api-error.ts';
import type { Session } from '../api/wire.ts';
import { applied, inverse, isSame, movesOfAdded, updateOf, type Edit, type ItemEdit } from './edits.ts';

/** An edit that is stored already, with the settings that it set. */
export interface StoredEdit extends Edit {
  readonly settings: readonly { readonly name: string; readonly before: unknown; readonly after: unknown }[];
}

/** Values that settings which cannot be null have until somebody sets them. */
const UNSET: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['research_question', ''],
  ['summary_mode', false],
]);

/** Times that an update is tried when others write between its read and its write. */
const TRIES = 3;

/**
 * Sends the update (UpdateSessionRequest) that `make` makes of a session as it is stored, and makes it anew
 * when somebody else wrote in between. Returns the session before and after it. Throws ApiError, and what
 * `make` throws.
 */
export async function updateStored(
  api: Api,
  sessionId: string,
  make: (stored: Session) => Readonly<Record<string, unknown>>,
): Promise<{ readonly before: Session; readonly after: Session }> {
  const path = sessionPath(sessionId);
  for (let tries = 1; ; tries += 1) {
    const before = await api<Session>('GET', path);
    const change = make(before);
    if (Object.keys(change).length === 0) return { before, after: before };
    try {
      await api('PATCH', path, { body: { ...change, expected_version: before.version } });
      return { before, after: await api<Session>('GET', path) };
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 409 || tries === TRIES) throw error;
    }
  }
}

/** The settings that an update set, with what they were. Pure. */
export const settingsSet = (change: object, before: object, after: object): StoredEdit['settings'] =>
  Object.keys(change)
    .filter((name) => (OBJECTS.InvestigationInput[name]?.kind ?? 'list') !== 'list')
    .map((name) => ({ name, before: valueOf(before, name), after: valueOf(after, name) }));

const valueOf = (payload: object, name: string) => (payload as Record<string, unknown>)[name];

/**
 * Takes an edit back from what is stored now. What it deleted goes back to where it stood in `seen`; a
 * setting that has another value by now stays. Returns the session as it is then, and the items that stay:
 * see `inverse`. Throws ApiError.
 */
export async function takeBack(
  api: Api,
  sessionId: string,
  edit: StoredEdit,
  seen: object,
): Promise<{ readonly session: Session; readonly lost: readonly ItemEdit[] }> {
  let lost: readonly ItemEdit[] = [];
  const { after } = await updateStored(api, sessionId, ({ payload }) => {
    const back = inverse(edit, payload);
    lost = back.lost;
    const moves = movesOfAdded(back.items, applied(payload, back.items), seen);
    const settings = edit.settings
      .filter(({ name, before, after }) => !isSame(before, after) && isSame(valueOf(payload, name), after))
      .map(({ name, before }) => [name, before ?? UNSET.get(name) ?? null] as const);
    return { ...Object.fromEntries(settings), ...updateOf(back.items), ...(moves.length > 0 && { moves }) };
  });
  return { session: after, lost };
}
