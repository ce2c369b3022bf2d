import { startPostgres } from '@platform/testing';
import { forSuite, late } from '@platform/testing/for-suite';
import { clientOf, startTestService, type Client, type TestService } from '../test-service.fixture.ts';

/** The service over Postgres, and a client of it, for the tests of the file or `describe` around the call. */
export function useTestService(env: Record<string, string> = {}): { service: TestService; client: Client } {
  const made = forSuite(
    async () => {
      const postgres = await startPostgres();
      const service = await startTestService(await postgres.createDatabase(), env);
      return { postgres, service, client: await clientOf(service) };
    },
    async ({ service, postgres }) => {
      await service.close();
      await postgres.stop();
    },
  );
  return { service: late(() => made.service), client: late(() => made.client) };
}
