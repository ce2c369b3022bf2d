import type { Command } from 'commander';
import { readWhole } from '../arguments.ts';
import { UsageError } from '../exit-codes.ts';
import { accountOf, tenantOf } from '../names.ts';
import { everyPage } from '../pages.ts';
import type { Shell } from '../shell.ts';

/** `service-accounts list | create | update | rotate-key | delete`. */
export function addServiceAccounts(program: Command, { talking, print, table }: Shell): void {
  const accounts = program.command('service-accounts').description('service accounts of a tenant');
  accounts
    .command('list')
    .description('the accounts of a tenant')
    .option('--tenant <tenant>', 'id or name of the tenant; the current one unless given')
    .option('--active', 'only active ones')
    .action(
      talking(async (session, options: { tenant?: string; active?: boolean }) => {
        const tenantId = await tenantOf(session, options.tenant);
        const activeOnly = options.active;
        const response = await everyPage('serviceAccounts', (pageToken) =>
          session.clients.serviceAccounts.listServiceAccounts(
            { tenantId, activeOnly, pageToken },
            session.extras,
          ),
        );
        print(
          session,
          response,
          table(response.serviceAccounts, ['id', 'username', 'active', 'api_key_active']),
        );
      }),
    );
  accounts
    .command('create <name>')
    .description('make an account and print its key once')
    .option('--tenant <tenant>', 'id or name of the tenant; the current one unless given')
    .option('--description <text>', 'what it is for', '')
    .option('--days <days>', 'life of its key')
    .option('--scope <scope...>', 'what its keys may be used for; everything unless given')
    .option('--system', 'an account of the system, as a login front end has: --scope identity')
    .action(
      talking(
        async (
          session,
          name: string,
          options: {
            tenant?: string;
            description: string;
            days?: string;
            scope?: string[];
            system?: boolean;
          },
        ) => {
          const response = await session.clients.serviceAccounts.createServiceAccount(
            {
              name,
              description: options.description,
              tenantId: options.system === true ? '' : await tenantOf(session, options.tenant),
              scopes: options.scope && { values: options.scope },
              expirationDays: options.days === undefined ? undefined : readWhole(options.days, '--days'),
            },
            session.extras,
          );
          print(session, response, `${response.username} ${response.serviceAccountId}\n${response.token}`);
        },
      ),
    );
  accounts
    .command('rotate-key <account>')
    .description('end its keys and their sessions, and print a new key')
    .option('--days <days>', 'life of the new key')
    .action(
      talking(async (session, account: string, { days }: { days?: string }) => {
        const expirationDays = days === undefined ? undefined : readWhole(days, '--days');
        const request = { id: await accountOf(session, account), expirationDays };
        const made = await session.clients.serviceAccounts.rotateServiceAccountKey(request, session.extras);
        print(session, made, `${made.apiKeyId}\n${made.token}`);
      }),
    );
  accounts
    .command('update <account>')
    .description('change an account; what deactivation ends stays ended')
    .option('--description <text>', 'what it is for')
    .option('--activate', 'let it have keys again')
    .option('--deactivate', 'end its keys and sessions for good')
    .option('--allow-lockout', 'even if it can manage the tenant and no user can')
    .action(
      talking(
        async (
          session,
          account: string,
          options: {
            description?: string;
            activate?: boolean;
            deactivate?: boolean;
            allowLockout?: boolean;
          },
        ) => {
          const { description, activate, deactivate, allowLockout } = options;
          if (activate === true && deactivate === true) {
            throw new UsageError('--activate and --deactivate exclude one another');
          }
          const active = activate === true ? true : deactivate === true ? false : undefined;
          const id = await accountOf(session, account);
          await session.clients.serviceAccounts.updateServiceAccount(
            { id, description, active, allowLockout },
            session.extras,
          );
          print(session, { updated: id }, 'updated');
        },
      ),
    );
  accounts
    .command('delete <account>')
    .description('delete an account with its keys')
    .option('--allow-lockout', 'even if it can manage the tenant and no user can')
    .action(
      talking(async (session, account: string, { allowLockout }: { allowLockout?: boolean }) => {
        const id = await accountOf(session, account);
        await session.clients.serviceAccounts.deleteServiceAccount({ id, allowLockout }, session.extras);
        print(session, { deleted: id }, 'deleted');
      }),
    );
}
