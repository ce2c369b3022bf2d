import { spawnSync } from 'node:child_process';
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
  readonly healthcheck?: { readonly test: readonly string[] };
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

  it.each([
    [{}, null],
    [{ NODE_IMAGE: 'node:24' }, null],
    [{ RELEASE: 'true', NODE_IMAGE: 'node:24' }, 'NODE_IMAGE must name the base by its digest'],
    [{ RELEASE: 'true', NODE_IMAGE: 'node@sha256:ab' }, 'REVISION and SOURCE must be set'],
    [{ RELEASE: 'true', NODE_IMAGE: 'node@sha256:ab', REVISION: '1a' }, 'REVISION and SOURCE must be set'],
    [{ RELEASE: 'true', NODE_IMAGE: 'node@sha256:ab', REVISION: '1a', SOURCE: 'https://git' }, null],
    [{ RELEASE: 'yes' }, 'RELEASE must be true or false'],
  ])('the Dockerfile with the arguments %j builds, or says why not: %s', (given, refusal) => {
    covers('PLAT-O.19');
    const { lines } = stageOf('service');
    const [, script = ''] = /^RUN (case [^]*?[^\\])\n(?!\s)/m.exec(lines)!;
    const args = { NODE_IMAGE: 'node:24', RELEASE: 'false', REVISION: 'unknown', SOURCE: 'unknown' };
    const { status, stderr } = spawnSync('sh', ['-c', script.replaceAll('\\\n', '\n')], {
      env: { PATH: process.env['PATH'], ...args, ...given },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual(refusal === null ? [0, ''] : [1, expect.stringContaining(refusal)]);
  });

  it('Node takes the options that the image of authz-grpc gives it', () => {
    covers('PLAT-O.6');
    const [, options = ''] = /^ENV NODE_OPTIONS=(\S+)$/m.exec(stageOf('authz-grpc').lines)!;
    const { status, stderr } = spawnSync(process.execPath, ['--eval', ''], {
      env: { NODE_OPTIONS: options },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('the Dockerfile and the charts name the license of the workspace, and each image says what it is', () => {
    covers('PLAT-O.6');
    const { license, version } = JSON.parse(read('package.json')) as Record<string, string>;
    expect(stageOf('service').lines).toContain(`org.opencontainers.image.licenses="${license}"`);
    expect(stageOf('service').lines).toContain(`ARG VERSION=${version}\n`);
    const charts = ['', ...APPS.map((app) => `charts/${app}/`)].map(
      (folder) => parse(read(`deploy/helm/platform/${folder}Chart.yaml`)) as Record<string, string>,
    );
    for (const chart of charts)
      expect(chart).toMatchObject({
        appVersion: version,
        annotations: { 'org.opencontainers.image.licenses': license, 'artifacthub.io/license': license },
      });
    for (const [i, app] of APPS.entries()) {
      const { lines } = stageOf(app);
      expect(lines).toContain(`org.opencontainers.image.title="${app}"`);
      expect(lines).toContain(`org.opencontainers.image.description="${charts[i + 1]!['description']}"`);
    }
  });

  it('the Dockerfile installs packages before it copies sources, so that a change of a page installs nothing', () => {
    const { lines } = stageOf('source');
    expect(lines.indexOf('npm ci')).toBeGreaterThan(lines.indexOf('COPY --from=manifests'));
    expect(lines.indexOf('COPY . .')).toBeGreaterThan(lines.indexOf('npm ci'));
  });

  it('each step of the Dockerfile that fetches packages can be given a registry and an authority', () => {
    const steps = dockerfile.replaceAll('\\\n', '').match(/^RUN .*(npm ci|assemble\.mjs).*$/gm)!;
    expect(steps.length).toBe(1 + APPS.length);
    for (const step of steps) {
      expect(step).toContain('--mount=type=secret,id=npmrc,target=/root/.npmrc ');
      expect(step).toContain('--mount=type=secret,id=ca ');
    }
  });
});

it('the passwords and dumps that deploy/README.md puts beside the sources are neither committed nor sent to a build', () => {
  covers('PLAT-O.5');
  const page = read('deploy/README.md');
  expect([page.includes('cat > deploy/.env'), page.includes('> backup/$app.dump')]).toEqual([true, true]);
  const linesOf = (file: string) => read(file).split('\n');
  expect(linesOf('.gitignore')).toEqual(expect.arrayContaining(['deploy/.env', '/backup/']));
  expect(linesOf('.dockerignore')).toEqual(expect.arrayContaining(['deploy/.env', 'backup']));
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

it('compose.yaml waits for a Postgres that takes connections over TCP, as migrations make them', () => {
  covers('PLAT-O.5');
  expect(services['postgres']!.healthcheck!.test.at(-1)).toContain('--host 127.0.0.1');
});

describe.each(APPS)('image of %s', (app) => {
  const name = app.split('-')[0]!;

  it('the image is assembled from its own build and starts without any setting', () => {
    covers('PLAT-O.6');
    expect(stageOf(`${app}-files`).lines).toContain(
      `npx nx run ${app}:build && node deploy/docker/assemble.mjs ${app} /image`,
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
