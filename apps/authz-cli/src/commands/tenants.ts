import type { Command } from 'commander';
import { table } from '../output.ts';
import type { Shell } from '../shell.ts';

/** `tenants list | mine | create | get`. */
export function addTenants(program: Command, { talking, print }: Shell): void {
  const tenants = program.command('tenants').description('tenants and their domains');
  tenants.command('list').action(
    talking(async (session) => {
      const answer = await session.clients.tenants.listTenants({}, session.extras);
      print(session, answer, table(answer.tenants, ['id', 'name', 'active', 'description']));
    }),
  );
  tenants
    .command('mine')
    .description('the tenants you may log in to')
    .action(
      talking(async (session) => {
        const answer = await session.clients.tenants.listMyTenants({}, session.extras);
        print(session, answer, table(answer.tenants, ['id', 'name']));
      }),
    );
  tenants
    .command('create <name>')
    .option('--description <text>', 'what it is', '')
    .action(
      talking(async (session, name: string, { description }: { description: string }) => {
        const tenant = await session.clients.tenants.createTenant({ name, description }, session.extras);
        print(session, tenant, `tenant ${tenant.id}, root domain ${tenant.domains[0]?.id ?? ''}`);
      }),
    );
  tenants.command('get <id>').action(
    talking(async (session, id: string) => {
      const tenant = await session.clients.tenants.getTenant({ id }, session.extras);
      print(session, tenant, table(tenant.domains, ['id', 'name', 'active', 'version']));
    }),
  );
}
