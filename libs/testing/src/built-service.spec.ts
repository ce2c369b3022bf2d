import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from '@jest/globals';
import { startBuiltService } from './built-service.ts';

it('startBuiltService names the command that builds a service which is not built', async () => {
  const empty = pathToFileURL(`${mkdtempSync(join(tmpdir(), 'built-'))}/`);
  await expect(startBuiltService('investigation-api', {}, undefined, empty)).rejects.toThrow(
    'investigation-api is not built: run NX_DAEMON=false npx nx run investigation-api:build',
  );
});
