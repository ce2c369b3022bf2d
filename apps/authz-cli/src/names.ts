import { GrpcCallError } from '@platform/authz-client';
import type { IntrospectCredentialResponse } from '@platform/proto/authz/v1/session';
import { NotLoggedIn, UsageError } from './exit-codes.ts';
import { visible } from './output.ts';
import { everyPage } from './pages.ts';
import { loginLine, type Session } from './shell.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const QUOTED_OR_LONE_UUID = /`[^`]*`|(?<![\w/-])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![\w/-])/g;

/** Whether the text is the id of an account, a tenant or a domain. */
export const isId = (text: string): boolean => UUID.test(text);

/** A tenant and one of its domains, by id. */
export interface Place {
  readonly tenantId: string;
  readonly domainId: string;
}

/** The live credential of the session. Throws NotLoggedIn. */
export async function introspect(session: Session): Promise<IntrospectCredentialResponse> {
  const { clients, extras } = session;
  const found = await clients.sessions.introspectCredential({ credential: extras.token ?? '' });
  if (!found.live) {
    const why =
      extras.token === undefined ? 'not logged in' : 'the credential is not live any more, or never was';
    throw new NotLoggedIn(`${why}: run \`${loginLine(session)}\`, or set PLATFORM_TOKEN to a live one`);
  }
  return found;
}

/**
 * Id of the tenant named by id or name, else the context's, else the credential's. Throws UsageError when
 * there is none, NotLoggedIn, and GrpcCallError when there is no tenant of that name.
 */
export async function tenantOf(session: Session, given: string | undefined): Promise<string> {
  if (given !== undefined) {
    if (UUID.test(given)) return given;
    const { tenants } = await everyPage('tenants', (pageToken) =>
      session.clients.tenants.listMyTenants({ pageToken }, session.extras),
    );
    const mine = tenants.find(({ name }) => name === given);
    if (mine !== undefined) return mine.id;
    const found = session.clients.tenants.getTenantByName({ name: given }, session.extras);
    return (await found.catch((error: unknown) => withTenantAdvice(error, given))).id;
  }
  const tenantId = session.context.tenant_id ?? (await introspect(session)).tenantId;
  if (tenantId === undefined) {
    throw new UsageError(`no tenant: run \`platform use --tenant <tenant>\`${orAdd(session, '--tenant')}`);
  }
  return tenantId;
}

/** Advice to add the option, for a command that has it. */
function orAdd({ options }: Session, option: string): string {
  return options.has(option) ? `, or add ${option}` : '';
}

/** The service does not tell a tenant that is not there from one of others; what to do is the same. */
function withTenantAdvice(error: unknown, given: string): never {
  if (error instanceof GrpcCallError && error.reason === 'ACCESS_DENIED')
    error.message = `you have no tenant \`${visible(given)}\`: \`platform tenants mine\` lists yours`;
  throw error;
}

function withDomainAdvice(error: unknown, { name }: { readonly name: string }): never {
  if (error instanceof GrpcCallError && error.reason === 'ACCESS_DENIED')
    error.message = `you may look up no domain \`${visible(name)}\` by its name: give its id`;
  throw error;
}

/**
 * Id of the domain that commands work on unless they name one: the context's, with PLATFORM_TOKEN where both
 * are of one tenant at one address, else the root domain of the credential's tenant; undefined for none. With
 * a sentence for people whose context is of another tenant or address, else null.
 */
export function currentDomain(
  { name, context, kept }: Session,
  { tenantId, rootDomainId }: IntrospectCredentialResponse,
): { readonly domainId: string | undefined; readonly note: string | null } {
  if (kept?.tenant_id === undefined) return { domainId: context.domain_id ?? rootDomainId, note: null };
  const isHere = kept.address === context.address;
  if (isHere && kept.tenant_id === tenantId) return { domainId: kept.domain_id ?? rootDomainId, note: null };
  const other = isHere ? 'tenant' : 'address';
  const note = `working on domain ${rootDomainId}, the root domain of PLATFORM_TOKEN: the context \`${name}\` is of another ${other}`;
  return { domainId: rootDomainId, note };
}

/**
 * The domain named by id or name, else the current one, and on standard error which one that is where it is
 * not the context's. Throws as `tenantOf`, and UsageError when no domain can be found.
 */
export async function placeOf(
  session: Session,
  given: { readonly tenant?: string; readonly domain?: string },
): Promise<Place> {
  const tenantId = await tenantOf(session, given.tenant);
  if (given.domain !== undefined) {
    if (UUID.test(given.domain)) return { tenantId, domainId: given.domain };
    const request = { tenantId, name: given.domain };
    const found = session.clients.domains.getDomainByName(request, session.extras);
    return {
      tenantId,
      domainId: (await found.catch((error: unknown) => withDomainAdvice(error, request))).id,
    };
  }
  const { tenant_id, domain_id } = session.context;
  if (domain_id !== undefined && tenant_id === tenantId) return { tenantId, domainId: domain_id };
  const credential = await introspect(session);
  const { domainId, note } = currentDomain(session, credential);
  if (credential.tenantId !== tenantId || domainId === undefined) {
    throw new UsageError(`no domain: run \`platform use --domain <domain>\`${orAdd(session, '--domain')}`);
  }
  if (note !== null) session.noteOnce?.(note);
  return { tenantId, domainId };
}

/** Id of the domain, without asking the service where it is given by id. Throws as `placeOf`. */
export async function domainIdOf(
  session: Session,
  given: { readonly tenant?: string; readonly domain?: string },
): Promise<string> {
  const { domain } = given;
  return domain !== undefined && UUID.test(domain) ? domain : (await placeOf(session, given)).domainId;
}

/**
 * The object as a URI; without `svc://` it is a path of the domain named by id or name, else of the current
 * one. Throws as `placeOf`.
 */
export async function objectOf(session: Session, object: string, domain?: string): Promise<string> {
  if (object.startsWith('svc://')) return object;
  const domainId = await domainIdOf(session, domain === undefined ? {} : { domain });
  return `svc://${domainId}/${object.replace(/^\//, '')}`;
}

/**
 * Id of the user given by id, name or e-mail address, else the context's, else the credential's. Names are
 * those of users whom the caller may read, addresses of those whom they may list. Throws NotLoggedIn, and
 * GrpcCallError that says how to find the id.
 */
export async function userOf(session: Session, given: string | undefined): Promise<string> {
  if (given === undefined) return session.context.user_id ?? (await introspect(session)).subjectId;
  if (UUID.test(given)) return given;
  const { users } = session.clients;
  try {
    return (await users.getUserByName({ username: given }, session.extras)).id;
  } catch (error) {
    if (!isUnknownUser(error)) throw error;
    const listed = given.includes('@')
      ? await everyPage('users', (pageToken) => users.listUsers({ pageToken }, session.extras)).catch(
          (refusal: unknown) => ({ users: noneIfRefused(refusal) }),
        )
      : { users: [] };
    const found = listed.users.find(({ email }) => email === given);
    if (found !== undefined) return found.id;
    error.message = `there is no user \`${visible(given)}\`, or you may not look them up: give their id, which \`platform whoami\` prints to them, and \`platform users list\` to the system root`;
    throw error;
  }
}

/** Id of the current tenant's service account given by id or name. Throws UsageError when there is none. */
export async function accountOf(session: Session, given: string): Promise<string> {
  if (UUID.test(given)) return given;
  const tenantId = await tenantOf(session, undefined);
  const { serviceAccounts } = await everyPage('serviceAccounts', (pageToken) =>
    session.clients.serviceAccounts.listServiceAccounts(
      { tenantId, activeOnly: false, pageToken },
      session.extras,
    ),
  );
  const found = serviceAccounts.find(({ username }) => username === given);
  if (found !== undefined) return found.id;
  throw new UsageError(
    `no service account \`${visible(given)}\`: \`platform service-accounts list\` names those of the tenant`,
  );
}

/** The service does not tell a user that is not there from one whom the caller may not read. */
function isUnknownUser(error: unknown): error is GrpcCallError {
  return error instanceof GrpcCallError && ['ACCESS_DENIED', 'USER_NOT_FOUND'].includes(error.reason);
}

/**
 * Names of the users and service accounts of the tenant by id, or for an empty one of all users and the
 * accounts of the system, for people who read a list; those that the caller may not read are missing. Throws
 * any error but a refusal by the service.
 */
export async function accountNames(session: Session, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const { tenants, users, serviceAccounts } = session.clients;
  const lists = [
    everyPage('users', (pageToken) =>
      tenantId === ''
        ? users.listUsers({ pageToken }, session.extras)
        : tenants.getTenantAssociations({ tenantId, pageToken }, session.extras),
    ).then((found) => found.users),
    everyPage('serviceAccounts', (pageToken) =>
      serviceAccounts.listServiceAccounts({ tenantId, activeOnly: false, pageToken }, session.extras),
    ).then((found) => found.serviceAccounts),
  ];
  const found = await Promise.all(lists.map((list) => list.catch(noneIfRefused)));
  return new Map(found.flat().map(({ id, username }) => [id, username]));
}

/**
 * Names of the tenant and of its domains by id, for people who read what was changed; those that the caller
 * may not read are missing. Throws any error but a refusal by the service.
 */
export async function placeNames(session: Session, tenantId: string): Promise<ReadonlyMap<string, string>> {
  if (tenantId === '') return new Map();
  const { tenants, domains } = session.clients;
  const lists = [
    tenants.getTenant({ id: tenantId }, session.extras).then((tenant) => [tenant]),
    everyPage('domains', (pageToken) => domains.listDomains({ tenantId, pageToken }, session.extras)).then(
      (found) => found.domains,
    ),
  ];
  const found = await Promise.all(lists.map((list) => list.catch(noneIfRefused)));
  return new Map(found.flat().map(({ id, name = id }) => [id, name]));
}

/** The object of an audit row, with names in the place of those ids in its path that have one. */
export function nameObject(object: string, names: ReadonlyMap<string, string>): string {
  const named = object.split('/').map((segment) => names.get(segment) ?? segment);
  return named.join('/');
}

/**
 * A sentence with the name of an account behind its id. The id stays, because a check takes it and not the
 * name; nothing is put into the path of an object, or into what a policy has between quotes.
 */
export function withAccountNames(text: string, accounts: ReadonlyMap<string, string>): string {
  return text.replace(QUOTED_OR_LONE_UUID, (quoted) => {
    const name = accounts.get(quoted.replaceAll('`', ''));
    return name === undefined ? quoted : `${quoted} (${name})`;
  });
}

/**
 * A subject for people who read a list: the name of the account, and in quotation marks a text that is the
 * name of an account and not its id.
 */
export function nameSubject(subject: string, accounts: ReadonlyMap<string, string>): string {
  const name = accounts.get(subject);
  if (name !== undefined) return name;
  return [...accounts.values()].includes(subject) ? `"${subject}"` : subject;
}

/**
 * The subject that a user means by an id, the name of an account, or a text in quotation marks. Any other
 * text stays as it is: checks may name subjects that are not accounts. Throws UsageError for a name that
 * several accounts have.
 */
export function subjectOf(given: string, accounts: ReadonlyMap<string, string>): string {
  const [, text] = /^"(.+)"$/s.exec(given) ?? [];
  if (text !== undefined) return text;
  const ids = [...accounts].filter(([, name]) => name === given).map(([id]) => id);
  if (ids.length > 1)
    throw new UsageError(`several accounts are called ${given}; name one by its id: ${ids.join(', ')}`);
  return ids[0] ?? given;
}

/**
 * Sentences for people who ask about the name of an account where its id belongs; none for an id, a name of
 * no account, or a tenant that cannot be told. Throws as `accountNames`.
 */
export async function namedSubjectLines(session: Session, subject: string): Promise<string[]> {
  if (UUID.test(subject)) return [];
  const { username, user_id: own } = session.context;
  const accounts =
    username === subject && own !== undefined ? new Map([[own, subject]]) : await knownAccounts(session);
  const ids = [...accounts].filter(([, name]) => name === subject).map(([id]) => id);
  if (ids.length === 0) return [];
  return [
    visible(
      `\`${subject}\` is the name of an account, and policies know accounts by id: ask about ${ids.join(' or ')}`,
    ),
  ];
}

/**
 * Sentences for people who search what a subject may do: those of `namedSubjectLines`, or that no account is
 * called so where nothing is found for a subject that is not an id. Throws as `accountNames`.
 */
export async function searchedSubjectLines(
  session: Session,
  subject: string,
  isNothing: boolean,
): Promise<string[]> {
  const named = await namedSubjectLines(session, subject);
  if (!isNothing || named.length > 0 || isId(subject)) return named;
  return [`nothing found: no account that you may look up is called \`${visible(subject)}\``];
}

/**
 * `accountNames` of the tenant that commands work on; none where it cannot be told. Throws as `accountNames`.
 */
export async function knownAccounts(session: Session): Promise<ReadonlyMap<string, string>> {
  return tenantOf(session, undefined)
    .then((tenantId) => accountNames(session, tenantId))
    .catch(noNames);
}

/**
 * Names by id of the domains that these policies come from, an id for a name that the caller may not read;
 * empty where all come from one, since their names tell them apart. Throws as `placeNames`.
 */
export async function domainsOf(
  session: Session,
  policies: readonly { readonly domainId: string }[],
  tenant?: string,
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(policies.map(({ domainId }) => domainId));
  if (ids.size < 2) return new Map();
  const names = await tenantOf(session, tenant)
    .then((tenantId) => placeNames(session, tenantId))
    .catch(noNames);
  return new Map(Array.from(ids, (id) => [id, names.get(id) ?? id]));
}

function noNames(error: unknown): ReadonlyMap<string, string> {
  if (error instanceof UsageError || error instanceof GrpcCallError) return new Map();
  throw error;
}

/** No items where the service refused a list. Throws any other error. */
export function noneIfRefused(error: unknown): [] {
  if (error instanceof GrpcCallError) return [];
  throw error;
}
