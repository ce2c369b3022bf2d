import type { Command } from 'commander';
import { tenantOf } from '../names.ts';
import { table } from '../output.ts';
import type { Shell } from '../shell.ts';

/** `tenants list | mine | create | get | delete | refresh`. */
export function addTenants(program: Command, { talking, print }: Shell): void {
  const tenants = program.command('tenants').description('tenants and their quotas');
  tenants
    .command('list')
    .description('all tenants; for the system root')
    .action(
      talking(async (session) => {
        const found = await session.clients.tenants.listTenants({}, session.extras);
        print(session, found, table(found.tenants, ['id', 'name', 'active', 'description']));
      }),
    );
  tenants
    .command('mine')
    .description('the tenants you may log in to')
    .action(
      talking(async (session) => {
        const found = await session.clients.tenants.listMyTenants({}, session.extras);
        print(session, found, table(found.tenants, ['id', 'name']));
      }),
    );
  tenants
    .command('create <name>')
    .description('found a tenant, with a root domain and a starter policy for you')
    .option('--description <text>', 'what it is', '')
    .action(
      talking(async (session, name: string, { description }: { description: string }) => {
        const tenant = await session.clients.tenants.createTenant({ name, description }, session.extras);
        print(session, tenant, `tenant ${tenant.id}, root domain ${tenant.domains[0]?.id ?? ''}`);
      }),
    );
  tenants
    .command('get [tenant]')
    .description('a tenant by id or name, with its quotas and domains')
    .action(
      talking(async (session, given: string | undefined) => {
        const id = await tenantOf(session, given);
        const tenant = await session.clients.tenants.getTenant({ id }, session.extras);
        const quotas = [
          { plane: 'control_plane', ...tenant.controlPlane },
          { plane: 'data_plane', ...tenant.dataPlane },
        ];
        const text = [
          `${tenant.name} ${tenant.id}${tenant.active ? '' : ' (inactive)'}`,
          table(quotas, Object.keys(quotas[0] ?? {}).map(snake)),
          table(tenant.domains, ['id', 'name', 'active', 'version']),
        ];
        print(session, tenant, text.join('\n\n'));
      }),
    );
  tenants
    .command('delete <tenant>')
    .description('delete a tenant with everything in it')
    .action(
      talking(async (session, given: string) => {
        const id = await tenantOf(session, given);
        await session.clients.tenants.deleteTenant({ id }, session.extras);
        print(session, { deleted: id }, 'deleted');
      }),
    );
  tenants
    .command('refresh')
    .description('reset the quotas of all tenants; for the system root')
    .option('--users', 'the quotas of all users, too')
    .action(
      talking(async (session, { users }: { users?: boolean }) => {
        await session.clients.tenants.refreshTenants({ users }, session.extras);
        print(session, { refreshed: true }, 'quotas reset');
      }),
    );
}

const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
