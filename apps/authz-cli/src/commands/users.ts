import type { Command } from 'commander';
import { readPassword } from '../arguments.ts';
import { table } from '../output.ts';
import type { Shell } from '../shell.ts';

/** `users list | create`. */
export function addUsers(program: Command, { env, talking, print }: Shell): void {
  const users = program.command('users').description('users');
  users.command('list').action(
    talking(async (session) => {
      const answer = await session.clients.users.listUsers({}, session.extras);
      print(session, answer, table(answer.users, ['id', 'username', 'email', 'active']));
    }),
  );
  users
    .command('create <username> <email>')
    .description('the password comes from PLATFORM_PASSWORD or standard input')
    .action(
      talking(async (session, username: string, email: string) => {
        const password = readPassword(env);
        const answer = await session.clients.users.createUser({ username, email, password }, session.extras);
        print(session, answer, answer.userId);
      }),
    );
}
