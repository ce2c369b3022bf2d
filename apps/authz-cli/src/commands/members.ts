import type { Command } from 'commander';
import { tenantOf, userOf } from '../names.ts';
import { everyPage } from '../pages.ts';
import type { Shell } from '../shell.ts';

interface TenantOption {
  tenant?: string;
}

type AttributeArguments = [user: string, key: string, values: string[], options: { allowLockout?: boolean }];

/** `members list | add | remove` and `attributes list | set | remove`. */
export function addMembers(program: Command, { talking, print, table }: Shell): void {
  const members = program.command('members').description('the users of a tenant');
  const ofTenant = (command: Command) =>
    command.option('--tenant <tenant>', 'id or name of the tenant; the current one unless given');

  ofTenant(members.command('list').description('the users of a tenant')).action(
    talking(async (session, { tenant }: TenantOption) => {
      const tenantId = await tenantOf(session, tenant);
      const found = await everyPage('users', (pageToken) =>
        session.clients.tenants.getTenantAssociations({ tenantId, pageToken }, session.extras),
      );
      print(session, found, table(found.users, ['id', 'username', 'active']));
    }),
  );
  ofTenant(
    members
      .command('add <user>')
      .description('associate a user with the tenant, by id, name or e-mail address'),
  ).action(
    talking(async (session, user: string, { tenant }: TenantOption) => {
      const userId = await userOf(session, user);
      const request = { tenantId: await tenantOf(session, tenant), userId };
      await session.clients.tenants.createTenantUserAssociation(request, session.extras);
      print(session, { added: userId }, 'added');
    }),
  );
  ofTenant(members.command('remove <user>').description('end the association, and its keys for good'))
    .option('--allow-lockout', 'even if nobody could manage the tenant afterwards')
    .action(
      talking(async (session, user: string, options: TenantOption & { allowLockout?: boolean }) => {
        const { tenant, allowLockout } = options;
        const userId = await userOf(session, user);
        const request = { tenantId: await tenantOf(session, tenant), userId, allowLockout };
        await session.clients.tenants.deleteTenantUserAssociation(request, session.extras);
        print(session, { removed: userId }, 'removed');
      }),
    );

  const attributes = program
    .command('attributes')
    .description('attributes of a user in the tenant you are logged in to; a check sees them as user.<key>');
  attributes
    .command('list <user>')
    .description('all attributes of the user')
    .action(
      talking(async (session, user: string) => {
        const userId = await userOf(session, user);
        const found = await session.clients.attributes.getUserAttributes({ userId }, session.extras);
        const rows = [...found.attributes].map(([key, { values }]) => ({ key, values: values.join(' ') }));
        print(session, found, table(rows, ['key', 'values']));
      }),
    );
  attributes
    .command('set <user> <key> <values...>')
    .description('add values and keep the others')
    .option('--allow-lockout', 'even if nobody could manage the tenant afterwards')
    .action(
      talking(async (session, ...[user, attributeKey, attributeValues, options]: AttributeArguments) => {
        const userId = await userOf(session, user);
        const request = { userId, attributeKey, attributeValues, ...options };
        await session.clients.attributes.setUserAttribute(request, session.extras);
        print(session, { set: attributeKey }, 'set');
      }),
    );
  attributes
    .command('remove <user> <key> [values...]')
    .description('remove values, or the key when no value is given')
    .option('--allow-lockout', 'even if nobody could manage the tenant afterwards')
    .action(
      talking(async (session, ...[user, attributeKey, attributeValues, options]: AttributeArguments) => {
        const userId = await userOf(session, user);
        const request = { userId, attributeKey, attributeValues, ...options };
        const { attributes: stored } = session.clients;
        // Removing is permitted apart from reading.
        const before = await stored.getUserAttributes({ userId }, session.extras).catch(() => null);
        await stored.removeUserAttribute(request, session.extras);
        const values = before?.attributes.get(attributeKey)?.values ?? [];
        const isRemoved =
          before === null ||
          (attributeValues.length === 0
            ? values.length > 0
            : attributeValues.some((one) => values.includes(one)));
        const text = isRemoved ? 'removed' : 'nothing to remove: the user has no such attribute';
        print(session, { removed: isRemoved ? attributeKey : null }, text);
      }),
    );
}
