import { forSuite, late } from '@platform/testing/for-suite';
import { startFleet, type Fleet } from './service.fixture.ts';

/**
 * A fleet for the tests of the file or `describe` around the call. `clients` may be taken out of it at once,
 * the rest is there once it has started.
 */
export function useFleet(...args: Parameters<typeof startFleet>): Fleet {
  const fleet = forSuite(
    () => startFleet(...args),
    ({ stop }) => stop(),
  );
  const clients = late(() => fleet.clients);
  return {
    clients,
    get replicas() {
      return fleet.replicas;
    },
    get httpUrl() {
      return fleet.httpUrl;
    },
    get databaseUrl() {
      return fleet.databaseUrl;
    },
    stop: () => fleet.stop(),
  };
}
