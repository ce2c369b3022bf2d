import type { Command } from 'commander';
import { TokenType } from '@platform/proto/authz/v1/verification';
import { UsageError } from '../exit-codes.ts';
import { introspect, userOf } from '../names.ts';
import { everyPage } from '../pages.ts';
import { readCurrentPassword, readNewPassword } from '../passwords.ts';
import type { Session, Shell } from '../shell.ts';

/** `users list | create | get | set-password | activate | deactivate | delete`. */
export function addUsers(program: Command, shell: Shell): void {
  const { talking, print, table } = shell;
  const users = program.command('users').description('users');
  users
    .command('list')
    .description('the users you may see: all for the system root')
    .action(
      talking(async (session) => {
        const found = await everyPage('users', (pageToken) =>
          session.clients.users.listUsers({ pageToken }, session.extras),
        );
        print(session, found, table(found.users, ['id', 'username', 'email', 'active']));
      }),
    );
  users
    .command('create <username> <email>')
    .description(
      'create a user; the password comes from PLATFORM_PASSWORD, a pipe or a question in the terminal',
    )
    .action(
      talking(async (session, username: string, email: string) => {
        const password = await readNewPassword(shell, 'PLATFORM_PASSWORD');
        const made = await session.clients.users.createUser({ username, email, password }, session.extras);
        print(session, made, made.userId);
      }),
    );
  users
    .command('get [user]')
    .description('a user; yourself unless given')
    .action(
      talking(async (session, given: string | undefined) => {
        const { username } = given === undefined ? await introspect(session) : { username: '' };
        // No user has a name that begins so.
        if (username.startsWith('svc:'))
          throw new UsageError(
            `\`${username}\` is a service account and not a user: \`platform whoami\` shows it`,
          );
        const found = await session.clients.users.getUser(
          { id: await userOf(session, given) },
          session.extras,
        );
        print(session, found, table([found], ['id', 'username', 'email', 'email_verified', 'active']));
      }),
    );
  users
    .command('set-password [user]')
    .description(
      'set a new password, from PLATFORM_NEW_PASSWORD, a pipe or a question in the terminal: your own by the current ' +
        'one, from PLATFORM_PASSWORD or a question, that of another user as the system root',
    )
    .option('--keep-api-keys', 'end the sessions of the user only')
    .action(
      talking(async (session, given: string | undefined, { keepApiKeys }: { keepApiKeys?: boolean }) => {
        const { clients, extras } = session;
        const self = (await introspect(session)).subjectId;
        const id = given === undefined ? self : await userOf(session, given);
        const proof = id === self ? { currentPassword: await readCurrentPassword(shell) } : null;
        const password = await readNewPassword(shell, 'PLATFORM_NEW_PASSWORD');
        await clients.users.updateUser(
          {
            id,
            password,
            ...(proof ?? (await resetToken(session, id))),
            revokeApiKeys: keepApiKeys !== true,
          },
          extras,
        );
        const ended = id === self ? 'other sessions' : 'sessions';
        print(
          session,
          { id, apiKeysEnded: keepApiKeys !== true },
          keepApiKeys === true
            ? `password set; the ${ended} of the user have ended, their API keys have not`
            : `password set; the ${ended} and all API keys of the user have ended`,
        );
      }),
    );
  for (const [name, active, description] of [
    ['activate', true, 'let the user log in again; keys and sessions that ended stay ended'],
    ['deactivate', false, 'end the sessions and keys of the user for good'],
  ] as const) {
    users
      .command(`${name} <user>`)
      .description(description)
      .option('--allow-lockout', 'even if nobody could manage a tenant afterwards')
      .action(
        talking(async (session, user: string, { allowLockout }: { allowLockout?: boolean }) => {
          const id = await userOf(session, user);
          await session.clients.users.updateUser({ id, active, allowLockout }, session.extras);
          print(session, { id, active }, `${name}d`);
        }),
      );
  }
  users
    .command('delete <user>')
    .description('delete the user with their sessions and keys')
    .option('--allow-lockout', 'even if nobody could manage a tenant afterwards')
    .action(
      talking(async (session, user: string, { allowLockout }: { allowLockout?: boolean }) => {
        const id = await userOf(session, user);
        await session.clients.users.deleteUser({ id, allowLockout }, session.extras);
        print(session, { deleted: id }, 'deleted');
      }),
    );
}

/** Proof of the system root's right to set the password of `userId`. */
async function resetToken({ clients, extras }: Session, userId: string): Promise<{ resetToken: string }> {
  const { email } = await clients.users.getUser({ id: userId }, extras);
  const request = { userId, email, tokenType: TokenType.PASSWORD_RESET, expirationHours: 1 };
  const { token } = await clients.verification.createEmailVerificationToken(request, extras);
  return { resetToken: token };
}
