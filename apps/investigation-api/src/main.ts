import { runService } from '@platform/service-kit';
import packageFile from '../package.json' with { type: 'json' };
import { CONFIG } from './config.ts';
import { migrationsOf } from './deps.ts';
import { startService } from './service.ts';

await runService({
  name: 'investigation-api',
  version: packageFile.version,
  config: CONFIG,
  start: startService,
  revision: ({ serviceRevision }) => serviceRevision,
  migrations: migrationsOf,
  probe: ({ host, probePort }) => ({ host, port: probePort }),
});
