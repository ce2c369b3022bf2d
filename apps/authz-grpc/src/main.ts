import { runService } from '@platform/service-kit';
import packageFile from '../package.json' with { type: 'json' };
import { auditExport } from './commands/audit-export.ts';
import { auditVerify } from './commands/audit-verify.ts';
import { retireSigningKeyCommand } from './commands/retire-key.ts';
import { resetRoot } from './commands/reset-root.ts';
import { resealKeys, rotateKeys } from './commands/signing-keys.ts';
import { CONFIG } from './config.ts';
import { migrationsOf } from './deps.ts';
import { startService } from './service.ts';

await runService({
  name: 'authz-grpc',
  version: packageFile.version,
  config: CONFIG,
  start: startService,
  revision: ({ serviceRevision }) => serviceRevision,
  migrations: migrationsOf,
  probe: ({ probeHost, probePort }) => ({ host: probeHost, port: probePort }),
  commands: {
    'audit-export': auditExport,
    'audit-verify': auditVerify,
    'rotate-keys': rotateKeys,
    'retire-key': retireSigningKeyCommand,
    'reseal-keys': resealKeys,
    'reset-root': resetRoot,
  },
});
