import { Gauge, type Registry } from 'prom-client';
import type { Database, PoolUsage } from './database.ts';

const GAUGES: Readonly<Record<keyof PoolUsage, readonly [name: string, help: string]>> = {
  total: ['database_pool_connections', 'Open connections to the database.'],
  idle: ['database_pool_idle_connections', 'Open connections that nobody uses.'],
  waiting: ['database_pool_waiting', 'Callers that wait for a connection.'],
  max: ['database_pool_max_connections', 'Connections the pool may open.'],
};

/**
 * Shows the pool in `registry`: `database_pool_*`. On PGlite, which has no pool, the metrics are named and
 * have no value.
 */
export function measurePool(database: Pick<Database, 'poolUsage'>, registry: Registry): void {
  for (const [figure, [name, help]] of Object.entries(GAUGES)) {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const usage = database.poolUsage();
        // Without a pool there is no figure, and 0 would be one.
        if (usage === null) this.remove();
        else this.set(usage[figure as keyof PoolUsage]);
      },
    });
  }
}
