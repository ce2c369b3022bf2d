import { Option, type Command } from 'commander';
import { readCalls } from '../arguments.ts';
import { UsageError } from '../exit-codes.ts';
import { UpdateTenantRequest } from '@platform/proto/authz/v1/tenant';
import { tenantOf } from '../names.ts';
import { visible } from '../output.ts';
import { everyPage } from '../pages.ts';
import type { Shell } from '../shell.ts';

const PLANES = { control: 'controlPlane', data: 'dataPlane' } as const;

/** `tenants list | mine | create | get | set-quota | suspend | resume | delete | refresh`. */
export function addTenants(program: Command, { talking, print, table, confirm }: Shell): void {
  const tenants = program.command('tenants').description('tenants and their quotas');
  tenants
    .command('list')
    .description('all tenants; for the system root')
    .action(
      talking(async (session) => {
        const found = await everyPage('tenants', (pageToken) =>
          session.clients.tenants.listTenants({ pageToken }, session.extras),
        );
        print(session, found, table(found.tenants, ['id', 'name', 'active', 'description']));
      }),
    );
  tenants
    .command('mine')
    .description('the tenants you may log in to')
    .action(
      talking(async (session) => {
        const found = await everyPage('tenants', (pageToken) =>
          session.clients.tenants.listMyTenants({ pageToken }, session.extras),
        );
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
    .command('set-quota <tenant>')
    .description('how many calls a tenant may make in a cycle; for the system root')
    .addOption(
      new Option('--plane <plane>', 'control: management; data: checks')
        .choices(Object.keys(PLANES))
        .makeOptionMandatory(),
    )
    .option('--calls <number>', 'calls in a cycle')
    .option('--overage <number>', 'calls beyond them; 0 = none')
    .action(
      talking(
        async (
          session,
          given: string,
          { plane, calls, overage }: { plane: keyof typeof PLANES; calls?: string; overage?: string },
        ) => {
          if (calls === undefined && overage === undefined)
            throw new UsageError('set-quota needs --calls, --overage or both');
          const limits = {
            ...(calls === undefined ? {} : { maxTokens: readCalls(calls, '--calls') }),
            ...(overage === undefined ? {} : { maxOverage: readCalls(overage, '--overage') }),
          };
          const id = await tenantOf(session, given);
          const planes = plane === 'control' ? { controlPlane: limits } : { dataPlane: limits };
          const tenant = { id, ...planes };
          await session.clients.tenants.updateTenant(
            UpdateTenantRequest.fromPartial({ tenant }),
            session.extras,
          );
          const after = await session.clients.tenants.getTenant({ id }, session.extras);
          const quota = after[PLANES[plane]];
          print(
            session,
            { id, plane, ...quota },
            `${plane}: ${quota?.maxTokens} calls, ${quota?.maxOverage} beyond them`,
          );
        },
      ),
    );
  for (const [name, active, description, done] of [
    ['suspend', false, 'end the sessions and keys of a tenant, and serve it no longer', 'suspended'],
    ['resume', true, 'serve a suspended tenant again; for the system root', 'resumed'],
  ] as const) {
    tenants
      .command(`${name} <tenant>`)
      .description(description)
      .option('--allow-lockout', 'also as a user of the tenant, who cannot resume it')
      .action(
        talking(async (session, given: string, { allowLockout }: { allowLockout?: boolean }) => {
          const id = await tenantOf(session, given);
          const request = UpdateTenantRequest.fromPartial({ tenant: { id, active }, allowLockout });
          await session.clients.tenants.updateTenant(request, session.extras);
          print(session, { id, active }, done);
        }),
      );
  }
  tenants
    .command('delete <tenant>')
    .description('delete a tenant with everything in it; in a terminal it asks first')
    .option('--yes', 'delete without a question')
    .action(
      talking(async (session, given: string, { yes }: { yes?: boolean }) => {
        const id = await tenantOf(session, given);
        const question = `delete the tenant \`${visible(given)}\` with everything in it?`;
        if (yes !== true && (await confirm?.(question)) === false)
          throw new UsageError('nothing was deleted; add --yes to delete without a question');
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
