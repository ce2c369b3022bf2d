import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { parse } from 'yaml';
import { settingsOf } from '../deploy/settings.fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const APPS = ['authz-grpc', 'investigation-api', 'docstore-api'] as const;
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

interface ComposeService {
  readonly image: string;
  readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string };
  readonly mem_limit?: string;
  readonly security_opt?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly command?: readonly string[];
  readonly read_only?: boolean;
  readonly stop_grace_period?: string;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}
const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, ComposeService>;
};

const dockerfile = read('deploy/docker/Dockerfile');
/** Lines of a stage of the Dockerfile by its name; `parent` is the stage or image that it builds on. */
function stageOf(name: string): { parent: string; lines: string } {
  const [, parent = '', lines = ''] =
    new RegExp(`^FROM (\\S+) AS ${name}\\n((?:(?!FROM )[^]*?\\n)*?)(?=FROM |(?![^]))`, 'm').exec(
      dockerfile,
    ) ?? [];
  return { parent, lines };
}

describe('Dockerfile', () => {
  covers('PLAT-O.6');
  it('Dockerfile runs services without root, from a base that can be pinned by its digest', () => {
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24-bookworm-slim$/m);
    const { parent, lines } = stageOf('service');
    expect(parent).toBe('${NODE_IMAGE}');
    for (const line of ['USER 1000:1000', 'VOLUME /data']) expect(lines).toContain(`${line}\n`);
    expect(lines).toMatch(/^HEALTHCHECK .*"main.js", "healthcheck"/m);
    expect(lines).toContain('rm -rf /usr/local/lib/node_modules /usr/local/bin/npm');
    expect(lines).toContain('SERVICE_REVISION="${REVISION}"');
  });

  it('the Dockerfile installs packages before it copies sources, so that a change of a page installs nothing', () => {
    const { lines } = stageOf('source');
    expect(lines.indexOf('RUN npm ci')).toBeGreaterThan(lines.indexOf('COPY --from=manifests'));
    expect(lines.indexOf('COPY . .')).toBeGreaterThan(lines.indexOf('RUN npm ci'));
  });
});

it('compose.yaml takes every password from the environment and gives each service a role of its own', () => {
  covers('PLAT-O.5');
  const text = read('deploy/compose.yaml');
  expect(text).not.toMatch(/\$\{\w+:-/);
  for (const app of APPS) {
    const role = app.split('-')[0]!;
    expect(services[app]!.environment!['DATABASE_URL']).toBe(
      `postgres://${role}:\${POSTGRES_PASSWORD}@postgres:5432/${role}`,
    );
    expect(text).toContain(`CREATE DATABASE ${role} OWNER ${role};`);
  }
  for (const [name, service] of Object.entries(services)) {
    expect([name, service.mem_limit]).toEqual([name, expect.stringMatching(/^\d+[mg]$/)]);
    if (!['postgres', 'redis'].includes(name))
      expect(service.security_opt).toEqual(['no-new-privileges:true']);
  }
});

describe.each(APPS)('image of %s', (app) => {
  const name = app.split('-')[0]!;

  it('the image is assembled from its own build and starts without any setting', () => {
    covers('PLAT-O.6');
    expect(stageOf(`${app}-files`).lines).toContain(
      `RUN npx nx run ${app}:build && node deploy/docker/assemble.mjs ${app} /image`,
    );
    const { parent, lines } = stageOf(app);
    expect(parent).toBe('service');
    expect(lines).toContain(`COPY --from=${app}-files /image .`);
    const set = new Map([...lines.matchAll(/(\w+)=(\S+)/g)].map(([, key, value]) => [key, value]));
    expect(set.get(`${name.toUpperCase()}_DATA_DIR`)).toBe('/data');
    const hosts = [...settingsOf(app).keys()].filter((key) => key.endsWith('_HOST'));
    expect(hosts.length).toBeGreaterThan(0);
    for (const host of hosts) expect([host, set.get(host)]).toEqual([host, '0.0.0.0']);
  });

  it('the service in compose.yaml has only settings that it knows, and is migrated before it serves', () => {
    const service = services[app]!;
    const migrate = services[`${name}-migrate`]!;
    const known = settingsOf(app);
    const names = Object.keys({ ...service.environment, ...migrate.environment });
    expect(names.length).toBeGreaterThan(2);
    expect(names.filter((one) => !known.has(one))).toEqual([]);
    expect(migrate).toMatchObject({ image: service.image, command: ['migrate'], read_only: true });
    expect(service).toMatchObject({
      read_only: true,
      build: { context: '..', dockerfile: 'deploy/docker/Dockerfile', target: app },
      depends_on: { [`${name}-migrate`]: { condition: 'service_completed_successfully' } },
    });
  });

  it('the image gets longer to stop than the service may drain', () => {
    const milliseconds = Number(settingsOf(app).get(`${name.toUpperCase()}_DRAIN_MAX_MS`));
    expect(milliseconds).toBeGreaterThan(1000);
    expect(Number.parseInt(services[app]!.stop_grace_period!, 10) * 1000).toBeGreaterThan(milliseconds);
  });
});
