import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';

const ROOT = join(import.meta.dirname, '../..');
const APPS = ['authz-grpc', 'investigation-api', 'docstore-api'] as const;
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string };
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}
const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, ComposeService>;
};

describe.each(APPS)('image of %s', (app) => {
  const dockerfile = read(`deploy/docker/${app}.Dockerfile`);
  const name = app.split('-')[0]!;

  it('is built from the lock file and runs without root', () => {
    expect(dockerfile).toContain(
      `RUN npm ci && npx nx run ${app}:build && node deploy/docker/assemble.mjs ${app} /image`,
    );
    expect(dockerfile.slice(dockerfile.lastIndexOf('FROM '))).toMatch(/^USER 1000:1000$/m);
    expect(dockerfile).toMatch(/^HEALTHCHECK /m);
  });

  it('has in compose.yaml only settings that the service has, and is migrated before it serves', () => {
    const service = services[app]!;
    const migrate = services[`${name}-migrate`]!;
    const known = read(`apps/${app}/src/config.ts`);
    const names = Object.keys({ ...service.environment, ...migrate.environment });
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((one) => !known.includes(`${one}:`))).toEqual([]);
    expect(migrate).toMatchObject({ image: service.image, command: ['migrate'], read_only: true });
    expect(service).toMatchObject({
      read_only: true,
      build: { context: '..', dockerfile: `deploy/docker/${app}.Dockerfile` },
      depends_on: { [`${name}-migrate`]: { condition: 'service_completed_successfully' } },
    });
  });

  it('gets longer to stop than it may drain', () => {
    const [, after = ''] = read(`apps/${app}/src/config.ts`).split('_DRAIN_MAX_MS:');
    const [, preset = ''] = /(?:\.default|whole)\(([\d_]+)/.exec(after)!;
    const milliseconds = Number(preset.replaceAll('_', ''));
    expect(milliseconds).toBeGreaterThan(1000);
    expect(Number.parseInt(services[app]!.stop_grace_period!, 10) * 1000).toBeGreaterThan(milliseconds);
  });
});
