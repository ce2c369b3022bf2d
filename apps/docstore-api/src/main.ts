import { runService } from '@platform/service-kit';
import packageFile from '../package.json' with { type: 'json' };
import { checkQuota } from './commands/check-quota.ts';
import { createKey } from './commands/create-key.ts';
import { verifyDeployment } from './commands/verify.ts';
import { CONFIG } from './config.ts';
import { migrationsOf } from './deps.ts';
import { startService } from './service.ts';

await runService({
  name: 'docstore-api',
  version: packageFile.version,
  config: CONFIG,
  start: startService,
  revision: ({ serviceRevision }) => serviceRevision,
  migrations: migrationsOf,
  probe: ({ host, probePort }) => ({ host, port: probePort }),
  commands: { key: createKey, 'check-quota': checkQuota, verify: verifyDeployment },
});
