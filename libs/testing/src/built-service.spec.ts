import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
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

it('a service that is given a folder for its data is given no Postgres besides', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'built-'));
  const app = join(folder, 'docstore-api');
  mkdirSync(join(app, 'migrations'), { recursive: true });
  const line = `console.log(JSON.stringify({ msg: 'listening', database: process.env.DATABASE_URL ?? null }))`;
  writeFileSync(join(app, 'main.js'), `${line}; setInterval(() => undefined, 1e9);`);
  const built = pathToFileURL(`${folder}/`);
  const service = await startBuiltService('docstore-api', { DOCSTORE_DATA_DIR: folder }, undefined, built);
  await service.kill();
  expect(service.ports).toEqual({ msg: 'listening', database: null });
});
