import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { exportSigningKey, generateSigningKey, publicJwks, verificationKeyOf } from '@platform/jwt';
import { covers } from '@platform/testing/covers';
import { CONFIG } from './config.ts';

const signing = await generateSigningKey();
const jwks = JSON.stringify(publicJwks([verificationKeyOf(signing)]));
const keyFile = join(mkdtempSync(join(tmpdir(), 'config-')), 'jwks.json');
writeFileSync(keyFile, jwks);

describe('the configuration', () => {
  it('the configuration needs a public key only, given as text or as a file; an analysis may take 30 s', async () => {
    covers('INV-L.2');
    for (const env of [
      { INVESTIGATION_JWT_PUBLIC_KEY: jwks },
      { INVESTIGATION_JWT_PUBLIC_KEY_FILE: keyFile },
    ]) {
      const config = await CONFIG.load(env);
      expect((config.jwtPublicKey ?? config.jwtPublicKeyFile)!.map(({ kid }) => kid)).toEqual([signing.kid]);
      expect([config.host, config.port, config.probePort]).toEqual(['127.0.0.1', 8080, 9080]);
      expect([config.bodyBytesMax, config.analysisTimeoutMs]).toEqual([16 * 1024 * 1024, 30_000]);
    }
  });

  it('the configuration names every bad variable at once', async () => {
    const env = {
      INVESTIGATION_PORT: 'http',
      INVESTIGATION_ANALYSIS_TIMEOUT_MS: '0',
      INVESTIGATION_LOG_LEVEL: 'loud',
      INVESTIGATION_JWT_PUBLIC_KEY: exportSigningKey(signing),
    };
    const error = await CONFIG.load(env).catch((reason: Error) => reason);
    expect((error as Error).message.split('\n')).toEqual([
      'INVESTIGATION_PORT: must be a whole number',
      expect.stringContaining('INVESTIGATION_LOG_LEVEL: '),
      'INVESTIGATION_JWT_PUBLIC_KEY: a private key where a public one is wanted',
      'INVESTIGATION_ANALYSIS_TIMEOUT_MS: must be at least 1',
    ]);
  });

  it.each([
    [
      {},
      'INVESTIGATION_AUTHZ_URL: set it, INVESTIGATION_JWT_PUBLIC_KEY or INVESTIGATION_JWT_PUBLIC_KEY_FILE',
    ],
    ...[
      { INVESTIGATION_JWT_PUBLIC_KEY: jwks, INVESTIGATION_JWT_PUBLIC_KEY_FILE: keyFile },
      { INVESTIGATION_AUTHZ_URL: 'localhost:1', INVESTIGATION_JWT_PUBLIC_KEY: jwks },
    ].map(
      (env) =>
        [
          env,
          'INVESTIGATION_AUTHZ_URL: set only one of it, INVESTIGATION_JWT_PUBLIC_KEY and INVESTIGATION_JWT_PUBLIC_KEY_FILE',
        ] as const,
    ),
    [
      { INVESTIGATION_JWT_PUBLIC_KEY: jwks, INVESTIGATION_PUBLIC_URL: 'ftp://x' },
      'INVESTIGATION_PUBLIC_URL: must be an http or https URL',
    ],
    [{ INVESTIGATION_JWT_PUBLIC_KEY_FILE: '/nowhere' }, /^INVESTIGATION_JWT_PUBLIC_KEY_FILE: ENOENT/],
    [
      { INVESTIGATION_JWT_PUBLIC_KEY: jwks, INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX: '2000' },
      'INVESTIGATION_BODY_BYTES_IN_FLIGHT_MAX: must be at least INVESTIGATION_BODY_BYTES_MAX',
    ],
    [
      { INVESTIGATION_JWT_PUBLIC_KEY: jwks, INVESTIGATION_REPLICAS: '2', DATABASE_URL: 'pglite:/folder' },
      'DATABASE_URL: must name Postgres when INVESTIGATION_REPLICAS is more than 1',
    ],
    [
      { INVESTIGATION_JWT_PUBLIC_KEY: jwks, INVESTIGATION_REPLICAS: '2' },
      'DATABASE_URL: must name Postgres when INVESTIGATION_REPLICAS is more than 1',
    ],
    [
      { INVESTIGATION_JWT_PUBLIC_KEY: jwks, DATABASE_URL: 'mysql://host' },
      'DATABASE_URL: must be `postgres://…`, `pglite:<folder>`, or unset for the embedded database',
    ],
  ])('the configuration refuses %j', async (env, message) => {
    await expect(CONFIG.load(env as NodeJS.ProcessEnv)).rejects.toThrow(message);
  });

  it('the configuration accepts more than one replica with Postgres', async () => {
    const env = {
      INVESTIGATION_JWT_PUBLIC_KEY: jwks,
      INVESTIGATION_REPLICAS: '2',
      DATABASE_URL: 'postgres://host/database',
    };
    expect(await CONFIG.load(env)).toMatchObject({
      databaseUrl: 'postgres://host/database',
      dataDir: '.data/investigation',
      databaseConnections: 10,
    });
  });

  it('the README holds the table of settings', () => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
    // Formatters pad the columns; the cells are what counts.
    const cells = (table: string) => table.replace(/ *\| */g, '|').replace(/-+/g, '-');
    expect(cells(readme)).toContain(cells(CONFIG.table()));
  });
});
