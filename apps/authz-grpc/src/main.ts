import { runService } from '@platform/service-kit';
import packageFile from '../package.json' with { type: 'json' };
import { auditVerify } from './commands/audit-verify.ts';
import { rotateKeys } from './commands/rotate-keys.ts';
import { CONFIG } from './config.ts';
import { migrateDatabase } from './deps.ts';
import { startService } from './service.ts';

await runService({
  name: 'authz-grpc',
  version: packageFile.version,
  config: CONFIG,
  start: startService,
  migrate: migrateDatabase,
  probe: ({ probeHost, probePort }) => ({ host: probeHost, port: probePort }),
  commands: { 'audit-verify': auditVerify, 'rotate-keys': rotateKeys },
});
