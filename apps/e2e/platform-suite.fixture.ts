import type { AuthzClients } from '@platform/authz-client';
import { AUTHZ_SETTINGS, migratedDatabase, startPostgres, type Postgres } from '@platform/testing';
import { forSuite } from '@platform/testing/for-suite';
import {
  createTenant,
  openAuthzClients,
  startService,
  type ServiceName,
  type ServiceProcess,
  type Tenant,
} from './platform/index.ts';

interface Platform {
  readonly postgres: Postgres;
  readonly services: Readonly<Record<ServiceName, ServiceProcess>>;
  readonly clients: AuthzClients;
  readonly tenant: Tenant;
}

/**
 * The three services on one Postgres with a tenant, for the tests of the file or `describe` around the call.
 * `docstoreSettings` are added to those of docstore-api, `authzSettings` to those of authz-grpc.
 */
export function suitePlatform(
  docstoreSettings: Record<string, string> = {},
  authzSettings: Record<string, string> = {},
): Platform {
  return forSuite(
    async () => {
      const postgres = await startPostgres();
      const authz = await startService('authz-grpc', {
        DATABASE_URL: await migratedDatabase(postgres, 'authz-grpc'),
        ...AUTHZ_SETTINGS,
        ...authzSettings,
      });
      const docstore = await startService('docstore-api', {
        DATABASE_URL: await migratedDatabase(postgres, 'docstore-api'),
        DOCSTORE_AUTHZ_URL: authz.grpcAddress,
        DOCSTORE_REQUESTS_PER_MINUTE: '1000000',
        ...docstoreSettings,
      });
      const investigation = await startService('investigation-api', {
        DATABASE_URL: await migratedDatabase(postgres, 'investigation-api'),
        INVESTIGATION_AUTHZ_URL: authz.grpcAddress,
        INVESTIGATION_DOCSTORE_URL: docstore.url,
      });
      const clients = openAuthzClients(authz.grpcAddress);
      return {
        postgres,
        services: { 'authz-grpc': authz, 'docstore-api': docstore, 'investigation-api': investigation },
        clients,
        tenant: await createTenant(clients),
      };
    },
    async ({ postgres, services, clients }) => {
      clients.close();
      await Promise.all(Object.values(services).map((service) => service.kill()));
      await postgres.stop();
    },
  );
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into it
export type Json = any;

/** A request with a credential, and its response as it is and as JSON; null for an empty one. */
export async function send(
  base: string,
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: object = {},
): Promise<{ status: number; text: string; json: Json }> {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, json: text === '' ? null : JSON.parse(text) };
}
