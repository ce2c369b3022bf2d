import { setTimeout as delay } from 'node:timers/promises';
import { DomainError } from '@platform/error-contracts';
import { z } from '@platform/error-contracts/zod-openapi';
import { listedPrefixes, mayTouchAll, type Caller } from '../auth/caller.ts';
import { quoteEtag } from '../rules/etag.ts';
import type { Filenames } from '../rules/scopes.ts';
import { pageLimit, wholeNumber } from '../wire/fields.ts';
import type { Deps } from '../ports.ts';
import type { DocumentChangeEvent, UncheckedChange } from '../store/document-store.ts';

const WAIT_SECONDS_MAX = 30;
/** How often a waiting request looks whether the owner has written. */
const LOOK_INTERVAL_MS = 500;

/** The query of GET /v1/changes. */
export const ListChanges = z.strictObject({
  since: z
    .string()
    .regex(/^(\d{1,15}|latest)$/, 'must be a whole number or `latest`')
    .transform((text) => (text === 'latest' ? text : Number(text)))
    .default(0)
    .openapi({
      anyOf: [
        { type: 'integer', minimum: 0 },
        { type: 'string', enum: ['latest'] },
      ],
      default: 0,
      description: '`last_sequence` of the page before; `latest` = no change before this request',
    }),
  limit: pageLimit,
  wait: wholeNumber.pipe(z.int().max(WAIT_SECONDS_MAX)).default(0).openapi({
    type: 'integer',
    minimum: 0,
    maximum: WAIT_SECONDS_MAX,
    default: 0,
    description: 'seconds to wait for a change when there is none',
  }),
});

export const ChangeList = z.object({
  changes: z.array(
    z
      .object({
        sequence: z.int(),
        type: z.enum(['created', 'written', 'renamed', 'deleted', 'restored']),
        id: z.string(),
        filename: z.string(),
        version: z.int(),
        etag: z.string().optional().describe('absent for a deletion'),
        at: z.string(),
      })
      .openapi('Change'),
  ),
  last_sequence: z.int().describe('`since` of the next request'),
});

interface Look {
  readonly found: readonly DocumentChangeEvent[];
  /** Those of them that the caller may read. */
  readonly shown: readonly DocumentChangeEvent[];
}
const NOTHING: Look = { found: [], shown: [] };

interface Waiting {
  /** Ends the wait, as when the client has gone. */
  readonly signal: AbortSignal;
  /** Throws `unauthenticated` when the credential has ended since the request was judged. */
  readonly revalidateCredential: () => Promise<void>;
}

/**
 * What has become of the owner's documents since a sequence number: every document that changed once, by its
 * latest change, in the order of these; deletions as tombstones, and so renames to filenames that the caller
 * may not read. A document that is written between two requests is listed again, later, and one that left
 * several filenames, for a caller who reads by policies, once for each. With `wait` the response is held back
 * until there is a change after `since`, or `signal` or the time ends it. While policies let the caller read
 * nothing, `last_sequence` stays, so that no change is passed over until they do. Errors:
 * `unprocessable` when deletions since then are forgotten, or the number is beyond the last change;
 * `unauthenticated` when the credential ended while the response was held back.
 */
export async function listChanges(
  deps: Pick<Deps, 'documents'>,
  caller: Caller,
  { since, limit, wait }: z.infer<typeof ListChanges>,
  { signal, revalidateCredential }: Waiting,
): Promise<z.infer<typeof ChangeList>> {
  const prefixes = listedPrefixes(caller, 'file:read');
  const look = async (from: number): Promise<Look> => {
    if (caller.policies !== undefined) {
      const found = await deps.documents.listUncheckedChanges(caller.owner, from, limit);
      return { found, shown: await readable(caller, found) };
    }
    const found = await deps.documents.listChanges(caller.owner, from, limit, prefixes);
    return { found, shown: found };
  };
  let mayReadNothing: boolean | undefined;
  let hasWaited = false;
  const first = since === 'latest' ? (await deps.documents.sequence(caller.owner)).sequence : since;
  for (let from = first, looks = Math.ceil((wait * 1000) / LOOK_INTERVAL_MS); ; looks--) {
    // Read first: every change up to here is visible to the statement after it.
    const { sequence, forgotten } = await deps.documents.sequence(caller.owner);
    if (from > 0 && from < forgotten) {
      throw new DomainError(
        'unprocessable',
        `deletions since ${first} are forgotten: list the documents, then follow changes from ${sequence}`,
      );
    }
    if (first > sequence) {
      throw new DomainError(
        'unprocessable',
        `\`since\` is ${first}, and the last change is ${sequence}, as after a backup was restored: list the documents, then follow changes from ${sequence}`,
      );
    }
    const { found, shown } = sequence > from && !mayReadNothing ? await look(from) : NOTHING;
    if (found.length > 0 && shown.length === 0)
      mayReadNothing ??= isNothing(await caller.policies?.namesOf('file:read'));
    if (shown.length > 0 || looks <= 0 || signal.aborted) {
      // The scopes of a key of the store were read when the request came, which may be half a minute ago.
      if (hasWaited) await revalidateCredential();
      const isWhole = found.length < limit;
      const last = found.at(-1)?.sequence ?? from;
      return {
        changes: shown.map(({ sequence: number, type, id, filename, version, etag, at }) => ({
          sequence: number,
          type,
          id,
          filename,
          version,
          ...(etag === null ? {} : { etag: quoteEtag(etag) }),
          at: at.toISOString(),
        })),
        last_sequence: mayReadNothing ? from : isWhole ? Math.max(last, sequence) : last,
      };
    }
    // What the caller may not read is passed over.
    if (!mayReadNothing) from = found.at(-1)?.sequence ?? from;
    hasWaited = true;
    await delay(LOOK_INTERVAL_MS, undefined, { signal }).catch(() => undefined);
  }
}

/** Changes under filenames that the caller may read, unless the document moved on to another such one. */
async function readable(caller: Caller, changes: readonly UncheckedChange[]): Promise<DocumentChangeEvent[]> {
  const filenames = [
    ...new Set(changes.flatMap(({ filename, laterFilenames }) => [filename, ...laterFilenames])),
  ];
  const allowed = await mayTouchAll(caller, 'file:read', filenames);
  const names = new Set(filenames.filter((_, index) => allowed[index]));
  const isLost = ({ laterFilenames }: UncheckedChange) => !laterFilenames.some((name) => names.has(name));
  return changes.filter((change) => names.has(change.filename) && isLost(change));
}

const isNothing = (names: Filenames | null | undefined) =>
  names != null && names.exact.length === 0 && names.prefixes.length === 0;
