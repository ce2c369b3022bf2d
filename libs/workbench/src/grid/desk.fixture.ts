import type { InvestigationInput } from '@platform/opinion-fusion';
import { ApiError } from '../api/api-error.ts';
import type { Session } from '../api/wire.ts';
import { applied, type ItemEdit } from '../edit/edits.ts';
import { KINDS } from '../edit/kinds.ts';
import { itemsOf, moved, type Move } from '../edit/payload-change.ts';
import { createDesk } from './desk.ts';

/** A session as the service keeps it, with any number of desks, and other programs that write to it. */
export function serviceOf(given: object) {
  let payload = given as InvestigationInput;
  let version = 1;
  const session = () => ({ session_id: 's', name: 'n', payload, version: String(version) }) as Session;
  const write = (edits: readonly ItemEdit[], moves: readonly Move[] = []) => {
    payload = moved(applied(payload, edits), moves);
    version += 1;
  };
  return {
    session,
    write: (edits: readonly Omit<ItemEdit, 'before'>[]) =>
      write(edits.map((edit) => ({ ...edit, before: null }))),
    /** A desk of the session. After `fails`, sending fails once; `isStored` says whether it is stored. */
    desk() {
      let failure: { readonly error: ApiError; readonly isStored: boolean } | null = null;
      const desk = createDesk(session(), {
        async send(change) {
          if (change['expected_version'] !== String(version)) throw new ApiError(409, 'changed');
          const failed = failure;
          failure = null;
          if (failed === null || failed.isStored)
            write(
              KINDS.flatMap(({ kind, removalsField }) => [
                ...itemsOf(change, kind).map((after) => ({ kind, id: after.id, before: null, after })),
                ...((change[removalsField] ?? []) as string[]).map((id) => ({
                  kind,
                  id,
                  before: null,
                  after: null,
                })),
              ]),
              (change['moves'] ?? []) as Move[],
            );
          if (failed !== null) throw failed.error;
          return { version: String(version) };
        },
        read: async () => session(),
        stored: () => {},
        setTimer: () => undefined,
        clearTimer: () => {},
      });
      const fails = (error: ApiError | null, isStored = false) => (failure = error && { error, isStored });
      return { desk, fails };
    },
  };
}
