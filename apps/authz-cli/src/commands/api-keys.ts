import type { Command } from 'commander';
import { readWhole } from '../arguments.ts';
import { UsageError } from '../exit-codes.ts';
import { table } from '../output.ts';
import type { Session, Shell } from '../shell.ts';

/** `api-keys list | create | delete`. */
export function addApiKeys(program: Command, { talking, print }: Shell): void {
  const keys = program.command('api-keys').description('your API keys');
  const owner = ({ context }: Session, given: string | undefined): string => {
    const id = given ?? context.user_id;
    if (id === undefined) throw new UsageError('no user: log in, or name one with --user');
    return id;
  };
  keys
    .command('list')
    .option('--user <id>', 'whose')
    .action(
      talking(async (session, { user }: { user?: string }) => {
        const answer = await session.clients.apiKeys.listApiKeys(
          { userId: owner(session, user) },
          session.extras,
        );
        print(session, answer, table(answer.apiKeys, ['key_id', 'tenant_id', 'created_at', 'expires_at']));
      }),
    );
  keys
    .command('create')
    .option('--user <id>', 'whose')
    .option('--days <days>', 'its life')
    .option('--scope <scope...>', 'what it may be used for; everything unless given')
    .action(
      talking(async (session, options: { user?: string; days?: string; scope?: string[] }) => {
        const { user, days, scope } = options;
        const answer = await session.clients.apiKeys.createApiKey(
          {
            userId: owner(session, user),
            expirationDays: days === undefined ? undefined : readWhole(days, '--days'),
            scopes: scope && { values: scope },
          },
          session.extras,
        );
        print(session, answer, `${answer.keyId}\n${answer.apiKey}`);
      }),
    );
  keys
    .command('delete <key-id>')
    .option('--user <id>', 'whose')
    .action(
      talking(async (session, keyId: string, { user }: { user?: string }) => {
        await session.clients.apiKeys.deleteApiKey({ userId: owner(session, user), keyId }, session.extras);
        print(session, { deleted: keyId }, 'deleted');
      }),
    );
}
