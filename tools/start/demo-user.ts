import { randomBytes } from 'node:crypto';
import type { AuthzClients, GrpcCallError } from '@platform/authz-client';
import type { Demo } from './platform-file.ts';
import { authzTarget } from './services.ts';

/** How long a session of the demo user lives. */
export const DAY_SECONDS = 86_400;
const USERNAME = 'demo';
const TENANT = 'demo';
/** By these a start recognizes what an earlier one made, when the file is lost that says so. */
const EMAIL = 'demo@example.org';
const MADE_BY = 'Made by npm start.';

/** A password for a user of this machine. */
export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** The demo user cannot be logged in. The message says why. */
export class DemoUserLocked extends Error {
  /** What lets a later start log them in. */
  readonly remedy: string;

  constructor(message: string, remedy: string) {
    super(message);
    this.remedy = remedy;
  }
}

export interface DemoUserOptions {
  /** What an earlier start wrote down. */
  readonly known: Partial<Demo>;
  /** A session of the system root, who sees what has become of the user and sets a lost password. */
  readonly rootToken: string | null;
  /** Writes down each step that has been done, so that an interrupted start can be resumed. */
  readonly keep: (demo: Partial<Demo>) => void;
  /** Says what was made anew. */
  readonly tell: (sentence: string) => void;
}

/** What a start needs of the demo user before the other services run. */
export type DemoUser = Omit<Demo, 'docstore_key'> & Partial<Demo>;

/**
 * The demo user with tenant and API key, made by the platform's own operations on the first start; a new
 * session on every start. What was deleted or has ended since is made anew, a new name is followed, and a
 * password that the file does not state is replaced; what somebody switched off stays so. Throws
 * DemoUserLocked.
 */
export async function ensureDemoUser(authz: AuthzClients, options: DemoUserOptions): Promise<DemoUser> {
  const { rootToken, keep } = options;
  let demo = rootToken === null ? options.known : await asStored(authz, rootToken, options);
  if (demo.user_id === undefined) {
    demo = { ...demo, ...(await makeUser(authz, demo, options)) };
    keep(demo);
  }
  if (demo.tenant_id === undefined) {
    demo = { ...demo, ...(await makeTenant(authz, demo, options)) };
    keep(demo);
  }
  const { token } = await loginAs(authz, demo, options, { tenant: demo.tenant_id, duration: DAY_SECONDS });
  const isKeyLive = demo.api_key !== undefined && (await isLive(authz, demo.api_key, token));
  const apiKey = isKeyLive
    ? demo.api_key!
    : (await authz.apiKeys.createApiKey({ userId: demo.user_id! }, { token })).apiKey;
  demo = { ...demo, token, api_key: apiKey };
  keep(demo);
  return demo as DemoUser;
}

/**
 * What an earlier start made, as the platform has it by now: under its present names, and without what was
 * deleted. Throws DemoUserLocked for what somebody switched off.
 */
async function asStored(
  authz: AuthzClients,
  token: string,
  { known, tell }: DemoUserOptions,
): Promise<Partial<Demo>> {
  const { user_id: userId, tenant_id: tenantId } = known;
  if (userId === undefined) return known;
  const user = await unless('USER_NOT_FOUND', authz.users.getUser({ id: userId }, { token }));
  if (user === null) {
    tell(`The user \`${known.username}\` is deleted; another one is made, with a tenant of their own.`);
    return pick(known, ['username', 'password']);
  }
  const { username } = user;
  if (!user.active) throw inactive(user);
  if (tenantId === undefined) return { ...known, username };
  const tenant = await unless('TENANT_NOT_FOUND', authz.tenants.getTenant({ id: tenantId }, { token }));
  if (tenant === null) {
    tell(`The tenant \`${known.tenant_name}\` is deleted; another one is made.`);
    return { ...pick(known, ['password', 'user_id']), username };
  }
  const name = tenant.name!;
  if (!tenant.active)
    throw new DemoUserLocked(`the tenant \`${name}\` is suspended`, asRoot(`tenants resume ${tenantId}`));
  const { isAssociated } = await authz.tenants.getTenantUserAssociation({ tenantId, userId }, { token });
  if (!isAssociated)
    throw new DemoUserLocked(
      `\`${username}\` is not in the tenant \`${name}\``,
      asRoot(`members add ${userId} --tenant ${tenantId}`),
    );
  return { ...known, username, tenant_name: name };
}

function inactive({ id, username }: { id: string; username: string }): DemoUserLocked {
  return new DemoUserLocked(`\`${username}\` is deactivated`, asRoot(`users activate ${id}`));
}

/** What somebody switched off, the system root switches on. */
function asRoot(command: string): string {
  const platform = 'node dist/apps/authz-cli/platform.js';
  return `run \`${platform} login root --address ${authzTarget()}\`, then \`${platform} ${command}\``;
}

/** The user of the name and password that are known, or of the usual ones. */
async function makeUser(authz: AuthzClients, demo: Partial<Demo>, options: DemoUserOptions) {
  const { username = USERNAME, password = newPassword() } = demo;
  const created = await unless('NAME_TAKEN', authz.users.createUser({ username, email: EMAIL, password }));
  const user = created ?? (await findUser(authz, { username, password }, options));
  return { username, password, user_id: user.userId };
}

/** The user of an earlier start, who has the password afterwards. Their API keys stay. */
async function findUser(
  authz: AuthzClients,
  { username, password }: Pick<Demo, 'username' | 'password'>,
  { rootToken, tell }: DemoUserOptions,
): Promise<{ userId: string }> {
  const own = await unless('LOGIN_FAILED', authz.sessions.login({ username, password }));
  if (own !== null) return own;
  if (rootToken === null)
    throw new DemoUserLocked(
      `there is a user \`${username}\`, whose password is not in the file`,
      'write it there, as `demo.password`',
    );
  const extras = { token: rootToken };
  const user = await authz.users.getUserByName({ username }, extras);
  const { id, email } = user;
  if (email !== EMAIL)
    throw new DemoUserLocked(
      `there is a user \`${username}\` whom no start made: their address is not ${EMAIL}`,
      'write another name there, as `demo.username`, or the password of the user, as `demo.password`',
    );
  if (!user.active) throw inactive(user);
  // Its code is generated by the build.
  const { TokenType } = await import('@platform/proto/authz/v1/verification');
  const { token: resetToken } = await authz.verification.createEmailVerificationToken(
    { userId: id, email, tokenType: TokenType.PASSWORD_RESET },
    extras,
  );
  await authz.users.updateUser({ id, password, resetToken, revokeApiKeys: false }, extras);
  tell(`\`${username}\` has a new password, because nothing states the one of an earlier start.`);
  return { userId: id };
}

/** The user's tenant: of an earlier start, else a new one. */
async function makeTenant(authz: AuthzClients, demo: Partial<Demo>, options: DemoUserOptions) {
  const extras = { token: (await loginAs(authz, demo, options)).token };
  const { tenants } = await authz.tenants.listMyTenants({}, extras);
  const readable = await Promise.all(
    tenants.map(({ id }) => unless('ACCESS_DENIED', authz.tenants.getTenant({ id }, extras))),
  );
  const make = (name: string) => authz.tenants.createTenant({ name, description: MADE_BY }, extras);
  const tenant =
    readable.find((one) => one?.description === MADE_BY) ??
    (await unless('NAME_TAKEN', make(TENANT))) ??
    (await make(`${TENANT}-${randomBytes(3).toString('hex')}`));
  return { tenant_id: tenant.id, tenant_name: tenant.name!, domain_id: tenant.domains[0]!.id };
}

async function loginAs(
  authz: AuthzClients,
  { username, password }: Partial<Demo>,
  { rootToken }: DemoUserOptions,
  where: { readonly tenant?: string | undefined; readonly duration?: number } = {},
) {
  const request = { username: username!, password: password!, ...where };
  const session = await unless('LOGIN_FAILED', authz.sessions.login(request));
  if (session !== null) return session;
  throw rootToken === null
    ? new DemoUserLocked(
        `\`${username}\` cannot log in, and only \`root\` could see why`,
        'write the password that `root` has there, as `root.password`',
      )
    : new DemoUserLocked(
        `\`${username}\` has another password than is there`,
        'write it there, as `demo.password`',
      );
}

/** Whether a credential opens anything, as the bearer of `token` may ask. */
export async function isLive(authz: AuthzClients, credential: string, token: string): Promise<boolean> {
  return (await authz.sessions.introspectCredential({ credential }, { token })).live;
}

/** The response; null when the call is refused for the reason. */
export async function unless<T>(reason: string, call: Promise<T>): Promise<T | null> {
  return call.catch((error: GrpcCallError) => {
    if (error.reason === reason) return null;
    throw error;
  });
}

function pick<K extends keyof Demo>(demo: Partial<Demo>, keys: readonly K[]): Partial<Pick<Demo, K>> {
  return Object.fromEntries(keys.map((key) => [key, demo[key]])) as Partial<Pick<Demo, K>>;
}
