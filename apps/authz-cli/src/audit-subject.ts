import { GrpcCallError } from '@platform/authz-client';
import { UsageError } from './exit-codes.ts';
import { isId, noneIfRefused, subjectOf, userOf } from './names.ts';
import { visible } from './output.ts';
import type { Session } from './shell.ts';

/** What a filter of the audit means by a subject. */
export interface AuditSubject {
  readonly subject: string;
  /** Names of accounts by id, with the one that is meant. */
  readonly accounts: ReadonlyMap<string, string>;
  /** Sentences for people, about other rows than those of the subject. */
  readonly notes: readonly string[];
}

/** The service lists no more rows at once. */
const PAGE_ROWS = 1_000;
/** Operations whose rows keep the name that an account was made with. */
const CREATIONS = ['CreateUser', 'CreateServiceAccount'];

/**
 * The subject that a user means by an id, the name of an account, or a text: of the accounts of the tenant,
 * else of the users whom the caller may look up, else of those whose creation the audit still has. `filter`
 * writes how rows of a text are shown. Throws UsageError for a name of several accounts, or of none in any
 * row, GrpcCallError.
 */
export async function auditSubject(
  session: Session,
  { tenantId, given }: { readonly tenantId: string; readonly given: string },
  accounts: ReadonlyMap<string, string>,
  filter: (text: string) => string,
): Promise<AuditSubject> {
  const known = subjectOf(given, accounts);
  if (/^".+"$/s.test(given) || isId(given)) return { subject: known, accounts, notes: [] };
  const text = `"${visible(given)}"`;
  const subject = known === given ? await formerAccount(session, tenantId, given) : known;
  const { events } = await session.clients.authorization.listAuditEvents(
    { tenantId, subject: given, limit: 1, cursor: '' },
    session.extras,
  );
  if (subject !== null) {
    const ofText = `these are rows of the account; some checks name the text ${text} instead of its id: ${filter(text)} shows them`;
    const made = given.startsWith('svc:')
      ? await accountsMade(session, tenantId, 'CreateServiceAccount', given)
      : [];
    const before = made.filter((id) => id !== subject);
    const ofOthers = `these are rows of ${subject}; accounts that were deleted had its name: ${before.join(', ')}`;
    const named = accounts.has(subject) ? accounts : new Map([...accounts, [subject, given]]);
    const notes = [...(events.length === 0 ? [] : [ofText]), ...(before.length === 0 ? [] : [ofOthers])];
    return { subject, accounts: named, notes };
  }
  const nobody = `no account that you may look up is or was called \`${visible(given)}\``;
  if (events.length > 0)
    return { subject: given, accounts, notes: [`${nobody}: these are rows about this text`] };
  throw new UsageError(
    `${nobody}, and no row is about this text: rows of an account that left are found by its id, which the row of its DeleteTenantUserAssociation has`,
  );
}

/** Id of an account that is not one of the tenant now; null for none. Throws as `auditSubject`. */
async function formerAccount(session: Session, tenantId: string, name: string): Promise<string | null> {
  const user = await userOf(session, name).catch((error: unknown) => {
    if (error instanceof GrpcCallError && UNKNOWN.includes(error.code)) return null;
    throw error;
  });
  if (user !== null) return user;
  const chains = new Set([tenantId, '']);
  const found = [...chains].flatMap((chain) =>
    CREATIONS.map((operation) => accountsMade(session, chain, operation, name)),
  );
  const ids = [...new Set((await Promise.all(found)).flat())];
  if (ids.length > 1)
    throw new UsageError(
      `several accounts are or were called ${visible(name)}; name one by its id: ${ids.join(', ')}`,
    );
  return ids[0] ?? null;
}

/** INVALID_ARGUMENT, NOT_FOUND and PERMISSION_DENIED. */
const UNKNOWN = [3, 5, 7];

/** Ids of the accounts that were made with the name, as rows tell that the caller may read. */
async function accountsMade(
  { clients, extras }: Session,
  tenantId: string,
  operation: string,
  name: string,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor = '';
  do {
    const query = { tenantId, operation, refused: false, limit: PAGE_ROWS, cursor };
    const page = await clients.authorization.listAuditEvents(query, extras).catch((error: unknown) => ({
      events: noneIfRefused(error),
      nextCursor: '',
    }));
    for (const { object, detail } of page.events) {
      const { values = {} } = JSON.parse(detail) as { values?: { username?: string; name?: string } };
      if (values.username === name || `svc:${values.name}` === name) ids.push(object.split('/').at(-1)!);
    }
    cursor = page.nextCursor;
  } while (cursor !== '');
  return ids;
}
