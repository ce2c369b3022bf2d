import type { Command } from 'commander';
import { readWhole } from '../arguments.ts';
import { table } from '../output.ts';
import { requireTenant, type Shell } from '../shell.ts';

/** `service-accounts list | create | delete`. */
export function addServiceAccounts(program: Command, { talking, print }: Shell): void {
  const accounts = program.command('service-accounts').description('service accounts of a tenant');
  accounts
    .command('list')
    .option('--tenant <id>', 'the tenant')
    .option('--active', 'only active ones')
    .action(
      talking(async (session, options: { tenant?: string; active?: boolean }) => {
        const tenantId = requireTenant(session, options.tenant);
        const answer = await session.clients.serviceAccounts.listServiceAccounts(
          { tenantId, activeOnly: options.active },
          session.extras,
        );
        print(session, answer, table(answer.serviceAccounts, ['id', 'username', 'active', 'api_key_active']));
      }),
    );
  accounts
    .command('create <name>')
    .option('--tenant <id>', 'the tenant')
    .option('--description <text>', 'what it is for', '')
    .option('--days <days>', 'life of its key')
    .action(
      talking(
        async (session, name: string, options: { tenant?: string; description: string; days?: string }) => {
          const answer = await session.clients.serviceAccounts.createServiceAccount(
            {
              name,
              description: options.description,
              tenantId: requireTenant(session, options.tenant),
              expirationDays: options.days === undefined ? undefined : readWhole(options.days, '--days'),
            },
            session.extras,
          );
          print(session, answer, `${answer.username} ${answer.serviceAccountId}\n${answer.token}`);
        },
      ),
    );
  accounts.command('delete <id>').action(
    talking(async (session, id: string) => {
      await session.clients.serviceAccounts.deleteServiceAccount({ id }, session.extras);
      print(session, { deleted: id }, 'deleted');
    }),
  );
}
