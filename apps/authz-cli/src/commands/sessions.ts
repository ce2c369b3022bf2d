import { loginWithProof } from '@platform/authz-client';
import type { Command } from 'commander';
import { readPassword, readWhole } from '../arguments.ts';
import { contextsPath, readContexts, writeContexts } from '../contexts.ts';
import { NotLoggedIn, UsageError } from '../exit-codes.ts';
import type { Session, Shell } from '../shell.ts';

/** Who is at the terminal: `login`, `use`, `logout`, `whoami`. */
export function addSessions(program: Command, { env, out, talking, print }: Shell): void {
  program
    .command('login <username>')
    .description('log in and keep the session in the context')
    .option('--tenant <name>', 'tenant to log in to')
    .option('--duration <seconds>', 'life of the session')
    .option('--save-as <context>', 'name of the context to write')
    .action(
      talking(
        async (
          session,
          username: string,
          options: { tenant?: string; duration?: string; saveAs?: string },
        ) => {
          const duration =
            options.duration === undefined ? undefined : readWhole(options.duration, '--duration');
          const password = readPassword(env);
          const request = { username, password, tenant: options.tenant, duration };
          const answer = await loginWithProof(session.clients, request, new Date());
          const path = contextsPath(env);
          const file = await readContexts(path);
          const saved = options.saveAs ?? session.name;
          file.contexts[saved] = {
            address: session.context.address,
            token: answer.token,
            user_id: answer.userId,
            username,
            ...(answer.tenantId === undefined ? {} : { tenant_id: answer.tenantId }),
          };
          await writeContexts(path, { ...file, current: saved });
          const { token: _secret, ...shown } = answer;
          print(session, shown, `logged in as ${username} (context ${saved})`);
        },
      ),
    );

  program
    .command('use <context>')
    .description('make a context the current one')
    .action(async (name: string) => {
      const path = contextsPath(env);
      const file = await readContexts(path);
      if (file.contexts[name] === undefined) throw new UsageError(`no context \`${name}\``);
      await writeContexts(path, { ...file, current: name });
      out(`using ${name}`);
    });

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
    .command('whoami')
    .description('who the credential says you are')
    .action(
      talking(async (session) => {
        const me = await whoAmI(session);
        print(session, me, `${me.username} ${me.userId}${me.tenantId ? ` in tenant ${me.tenantId}` : ''}`);
      }),
    );
}

async function whoAmI({ clients, extras }: Session) {
  const found = await clients.sessions.introspectCredential({ credential: extras.token ?? '' });
  if (!found.live) throw new NotLoggedIn('not logged in');
  return {
    username: found.username,
    userId: found.subjectId,
    tenantId: found.tenantId,
    expiresAt: found.expiresAt,
  };
}
