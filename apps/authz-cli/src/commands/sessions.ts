import { loginWithProof } from '@platform/authz-client';
import type { Command } from 'commander';
import { readWhole } from '../arguments.ts';
import { connectionOf } from '../connection.ts';
import { CONTEXT_NAME, contextsPath, keptContext, readContexts, writeContexts } from '../contexts.ts';
import { EXIT, exitCodeOf, UsageError } from '../exit-codes.ts';
import { introspect, placeOf, tenantOf } from '../names.ts';
import { readPassword } from '../passwords.ts';
import { loginLine, type Session, type Shell } from '../shell.ts';

/** Commands about the user at the terminal: `login`, `use`, `logout`, `token`, `whoami`. */
export function addSessions(program: Command, shell: Shell): void {
  const { env, talking, print, note } = shell;
  program
    .command('login <username>')
    .description(
      'log in and keep the session in the context; the password comes from PLATFORM_PASSWORD, a pipe or a question in the terminal',
    )
    .option('--tenant <name>', 'tenant to log in to; that of the context for the same user unless given')
    .option('--duration <seconds>', 'life of the session')
    .option('--save-as <context>', 'name of the context to write')
    .action(
      talking(
        async (
          session,
          username: string,
          options: { tenant?: string; duration?: string; saveAs?: string },
        ) => {
          if (options.saveAs !== undefined && !CONTEXT_NAME.test(options.saveAs))
            throw new UsageError(
              '--save-as must be a letter or digit and at most 63 letters, digits, `_`, `-` and `.`',
            );
          const duration =
            options.duration === undefined ? undefined : readWhole(options.duration, '--duration');
          const password = await readPassword(shell);
          const request = { username, password, tenant: options.tenant, duration };
          const response = await loginWithProof(session.clients, request, new Date());
          const path = contextsPath(env);
          const file = await readContexts(path);
          const saved = options.saveAs ?? session.name;
          const before = keptContext(file, saved);
          // A user who logs in again keeps the tenant and the domain that they chose before.
          const own = before?.user_id === response.userId ? before : undefined;
          const left = options.tenant === undefined ? own?.tenant_id : undefined;
          const again = left === undefined ? null : await loginTo(session, left, response.token);
          if (left !== undefined && again === null)
            note?.(
              `the context was of tenant ${left}, which you may not log in to now: it has no tenant any more`,
            );
          const { token, tenantId } = again ?? response;
          const domainId = own?.tenant_id === tenantId ? own?.domain_id : undefined;
          file.contexts[saved] = {
            ...connectionOf(session.context),
            token,
            user_id: response.userId,
            username,
            ...(tenantId === undefined ? {} : { tenant_id: tenantId }),
            ...(domainId === undefined ? {} : { domain_id: domainId }),
          };
          await writeContexts(path, { ...file, current: saved });
          const { token: _secret, ...shown } = { ...response, tenantId };
          const place = [
            ...(again === null ? [] : [`, tenant ${tenantId}`]),
            ...(domainId === undefined ? [] : [`, domain ${domainId}`]),
          ].join('');
          print(session, shown, `logged in as ${username} (context ${saved}${place})`);
        },
      ),
    );

  program
    .command('use [context]')
    .description('choose the context, tenant or domain that commands work on')
    .option('--tenant <tenant>', 'id or name of the tenant')
    .option('--domain <domain>', 'id or name of the domain')
    .action(
      async (name: string | undefined, options: { tenant?: string; domain?: string }, command: Command) => {
        const path = contextsPath(env);
        const file = await readContexts(path);
        const { json, context: meant } = command.optsWithGlobals<{ json?: boolean; context?: string }>();
        if (name !== undefined && meant !== undefined && name !== meant)
          throw new UsageError(`name one context: \`use ${name}\`, or --context ${meant}`);
        const used = name ?? meant ?? file.current;
        const kept = keptContext(file, used);
        if (kept === undefined) throw new UsageError(`no context \`${used}\``);
        const current = name ?? file.current;
        if (options.tenant === undefined && options.domain === undefined) {
          await writeContexts(path, { ...file, current });
          const { tenant_id: tenantId, domain_id: domainId } = kept;
          print({ isJson: json === true }, { context: used, tenantId, domainId }, `using ${used}`);
          return;
        }
        if (env['PLATFORM_TOKEN'] !== undefined)
          throw new UsageError(
            '`use` keeps the choice for the session of a context, and PLATFORM_TOKEN stands in its place: unset it, or name objects in full, as svc://…',
          );
        program.setOptionValue('context', used);
        await talking(async (session) => {
          const token = await tokenFor(session, options.tenant);
          const renewed = { ...session, extras: { token } };
          const place = await placeOf(renewed, options);
          const found = await readContexts(path);
          // The address and the files may be others for this command alone.
          found.contexts[used] = {
            ...kept,
            ...(token === undefined ? {} : { token }),
            tenant_id: place.tenantId,
            domain_id: place.domainId,
          };
          await writeContexts(path, { ...found, current: name ?? found.current });
          const { rootDomainId } = await introspect(renewed);
          const words = place.domainId === rootDomainId ? ', the root domain of the tenant' : '';
          const text = `using ${used}: tenant ${place.tenantId}, domain ${place.domainId}${words}`;
          print(session, { context: used, ...place }, text);
        })();
      },
    );

  program
    .command('logout')
    .description('end the session of the context')
    .action(
      talking(async (session) => {
        const { userId } = await whoAmI(session);
        await session.clients.sessions.logout({ userId }, session.extras);
        print(session, { loggedOut: true }, 'logged out');
      }),
    );

  program
    .command('token')
    .description(
      'print your token, such as for `curl`: TOKEN="$(platform token)"; anyone who has it can act as you',
    )
    .action(
      talking(async (session) => {
        // A token that has ended is refused here, with the reason.
        await introspect(session);
        const { token } = session.extras;
        print(session, { token }, token!);
      }),
    );

  program
    .command('whoami')
    .description('the user and tenant of your credential')
    .action(
      talking(async (session) => {
        const me = await whoAmI(session);
        print(session, me, `${me.username} ${me.userId}${me.tenantId ? ` in tenant ${me.tenantId}` : ''}`);
      }),
    );
}

/** A session of the tenant in exchange for one of none; null where the user may not have one. */
function loginTo({ clients }: Session, tenantId: string, token: string) {
  return clients.sessions.refreshLoginWithTenant({ tenantId }, { token }).catch((error: unknown) => {
    if (exitCodeOf(error) === EXIT.denied || exitCodeOf(error) === EXIT.notFound) return null;
    throw error;
  });
}

/**
 * The session's token, exchanged for one of the tenant when it has none yet. Throws UsageError for another
 * tenant's.
 */
async function tokenFor(session: Session, tenant: string | undefined): Promise<string | undefined> {
  const { token } = session.extras;
  if (tenant === undefined) return token;
  const [tenantId, credential] = await Promise.all([tenantOf(session, tenant), introspect(session)]);
  if (credential.tenantId === tenantId) return token;
  if (credential.tenantId !== undefined) {
    throw new UsageError(
      `the session is for another tenant: run \`${loginLine(session)} --tenant ${tenant}\``,
    );
  }
  return (await session.clients.sessions.refreshLoginWithTenant({ tenantId }, session.extras)).token;
}

async function whoAmI(session: Session) {
  const { username, subjectId: userId, tenantId, expiresAt } = await introspect(session);
  return { username, userId, tenantId, expiresAt };
}
