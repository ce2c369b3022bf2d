import type { Command } from 'commander';
import { userOf } from '../names.ts';
import { everyPage } from '../pages.ts';
import type { Shell } from '../shell.ts';

/** `programs list | end`. */
export function addPrograms(program: Command, { talking, print, table }: Shell): void {
  const programs = program.command('programs').description('programs, such as assistants, that you let in');
  programs
    .command('list')
    .description('programs with what they may do, and since when')
    .option('--user <user>', 'id, name or e-mail address of the user who let them in; you unless given')
    .action(
      talking(async (session, { user }: { user?: string }) => {
        const userId = await userOf(session, user);
        const response = await everyPage('clientGrants', (pageToken) =>
          session.clients.sessions.listClientGrants({ userId, pageToken }, session.extras),
        );
        const columns = ['id', 'client_name', 'resource', 'scopes', 'created_at', 'last_used_at'];
        print(session, response, table(response.clientGrants, columns));
      }),
    );
  programs
    .command('end <id>')
    .description('end what a program may do, at once')
    .option('--user <user>', 'id, name or e-mail address of the user who let it in; you unless given')
    .action(
      talking(async (session, id: string, { user }: { user?: string }) => {
        const userId = await userOf(session, user);
        await session.clients.sessions.deleteClientGrant({ userId, id }, session.extras);
        print(session, { ended: id }, 'ended');
      }),
    );
}
