import type { Command } from 'commander';
import { readPassword } from '../arguments.ts';
import { userOf } from '../names.ts';
import { table } from '../output.ts';
import type { Shell } from '../shell.ts';

/** `users list | create | get | activate | deactivate | delete`. */
export function addUsers(program: Command, { env, talking, print }: Shell): void {
  const users = program.command('users').description('users');
  users
    .command('list')
    .description('the users you may see: all for the system root')
    .action(
      talking(async (session) => {
        const found = await session.clients.users.listUsers({}, session.extras);
        print(session, found, table(found.users, ['id', 'username', 'email', 'active']));
      }),
    );
  users
    .command('create <username> <email>')
    .description('create a user; the password comes from PLATFORM_PASSWORD or standard input')
    .action(
      talking(async (session, username: string, email: string) => {
        const password = readPassword(env);
        const made = await session.clients.users.createUser({ username, email, password }, session.extras);
        print(session, made, made.userId);
      }),
    );
  users
    .command('get [id]')
    .description('a user; yourself unless given')
    .action(
      talking(async (session, given: string | undefined) => {
        const found = await session.clients.users.getUser(
          { id: await userOf(session, given) },
          session.extras,
        );
        print(session, found, table([found], ['id', 'username', 'email', 'email_verified', 'active']));
      }),
    );
  for (const [name, active, description] of [
    ['activate', true, 'let the user log in again; keys and sessions that ended stay ended'],
    ['deactivate', false, 'end the sessions and keys of the user for good'],
  ] as const) {
    users
      .command(`${name} <id>`)
      .description(description)
      .option('--allow-lockout', 'even if nobody could manage a tenant afterwards')
      .action(
        talking(async (session, id: string, { allowLockout }: { allowLockout?: boolean }) => {
          await session.clients.users.updateUser({ id, active, allowLockout }, session.extras);
          print(session, { id, active }, `${name}d`);
        }),
      );
  }
  users
    .command('delete <id>')
    .description('delete the user with their sessions and keys')
    .option('--allow-lockout', 'even if nobody could manage a tenant afterwards')
    .action(
      talking(async (session, id: string, { allowLockout }: { allowLockout?: boolean }) => {
        await session.clients.users.deleteUser({ id, allowLockout }, session.extras);
        print(session, { deleted: id }, 'deleted');
      }),
    );
}
