import type { Command } from 'commander';
import { readWhole } from '../arguments.ts';
import { userOf } from '../names.ts';
import { everyPage } from '../pages.ts';
import type { Shell } from '../shell.ts';

/** `api-keys list | create | delete`. */
export function addApiKeys(program: Command, { talking, print, table }: Shell): void {
  const keys = program.command('api-keys').description('your API keys');
  keys
    .command('list')
    .description('keys with their tenants and ends')
    .option('--user <user>', 'id, name or e-mail address of their owner; you unless given')
    .action(
      talking(async (session, { user }: { user?: string }) => {
        const userId = await userOf(session, user);
        const response = await everyPage('apiKeys', (pageToken) =>
          session.clients.apiKeys.listApiKeys({ userId, pageToken }, session.extras),
        );
        print(
          session,
          response,
          table(response.apiKeys, ['key_id', 'tenant_id', 'created_at', 'expires_at']),
        );
      }),
    );
  keys
    .command('create')
    .description('make a key and print it once')
    .option('--user <user>', 'id, name or e-mail address of their owner; you unless given')
    .option('--days <days>', 'days until it ends')
    .option('--scope <scope...>', 'what it may be used for; everything unless given')
    .action(
      talking(async (session, options: { user?: string; days?: string; scope?: string[] }) => {
        const { user, days, scope } = options;
        const response = await session.clients.apiKeys.createApiKey(
          {
            userId: await userOf(session, user),
            expirationDays: days === undefined ? undefined : readWhole(days, '--days'),
            scopes: scope && { values: scope },
          },
          session.extras,
        );
        print(session, response, `${response.keyId}\n${response.apiKey}`);
      }),
    );
  keys
    .command('delete <key-id>')
    .description('end a key at once')
    .option('--user <user>', 'id, name or e-mail address of their owner; you unless given')
    .action(
      talking(async (session, keyId: string, { user }: { user?: string }) => {
        await session.clients.apiKeys.deleteApiKey(
          { userId: await userOf(session, user), keyId },
          session.extras,
        );
        print(session, { deleted: keyId }, 'deleted');
      }),
    );
}
