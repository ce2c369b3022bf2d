import type { Command } from 'commander';
import { placeOf, tenantOf } from '../names.ts';
import { everyPage } from '../pages.ts';
import type { Session, Shell } from '../shell.ts';

interface TenantOption {
  tenant?: string;
}

/** `domains list | get | create | delete`. */
export function addDomains(program: Command, { talking, print, table }: Shell): void {
  const domains = program.command('domains').description('the domains of a tenant');
  const ofTenant = (command: Command) =>
    command.option('--tenant <tenant>', 'id or name of the tenant; the current one unless given');
  const idsOf = async (session: Session, tenant: string | undefined, given: readonly string[]) =>
    Promise.all(given.map(async (domain) => (await placeOf(session, { tenant, domain })).domainId));

  ofTenant(domains.command('list').description('the domains of a tenant, oldest first')).action(
    talking(async (session, { tenant }: TenantOption) => {
      const tenantId = await tenantOf(session, tenant);
      const found = await everyPage('domains', (pageToken) =>
        session.clients.domains.listDomains({ tenantId, pageToken }, session.extras),
      );
      print(session, found, table(found.domains, ['id', 'name', 'active', 'version']));
    }),
  );
  ofTenant(domains.command('get [domain]').description('a domain by id or name, with its superiors')).action(
    talking(async (session, domain: string | undefined, { tenant }: TenantOption) => {
      const found = await session.clients.domains.getDomain(
        await placeOf(session, { tenant, domain }),
        session.extras,
      );
      const columns = ['id', 'name', 'active', 'detached', 'version', 'superior_domain_ids'];
      print(session, found, table([found], columns));
    }),
  );
  ofTenant(domains.command('create <name>').description('create a domain and print its id'))
    .option('--superior <domain...>', 'id or name of a domain whose policies take part as well')
    .option('--detached', "do not inherit the policies of the tenant's root domain")
    .action(
      talking(
        async (
          session,
          name: string,
          options: TenantOption & { superior?: string[]; detached?: boolean },
        ) => {
          const tenantId = await tenantOf(session, options.tenant);
          const superiorDomainIds = await idsOf(session, tenantId, options.superior ?? []);
          const request = { tenantId, name, superiorDomainIds, detached: options.detached };
          const made = await session.clients.domains.createDomain(request, session.extras);
          print(session, made, made.id);
        },
      ),
    );
  ofTenant(
    domains.command('delete <domain>').description('delete a domain that no other names as superior'),
  ).action(
    talking(async (session, domain: string, { tenant }: TenantOption) => {
      const place = await placeOf(session, { tenant, domain });
      await session.clients.domains.deleteDomain(place, session.extras);
      print(session, { deleted: place.domainId }, 'deleted');
    }),
  );
}
