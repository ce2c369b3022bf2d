import { runService } from '@platform/service-kit';
import packageFile from '../package.json' with { type: 'json' };
import { CONFIG } from './config.ts';
import { migrateDatabase } from './deps.ts';
import { startService } from './service.ts';

await runService({
  name: 'investigation-api',
  version: packageFile.version,
  config: CONFIG,
  start: startService,
  migrate: migrateDatabase,
  probe: ({ host, probePort }) => ({ host, port: probePort }),
});
