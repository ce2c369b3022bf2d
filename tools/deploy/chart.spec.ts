import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { findKubectl } from '@platform/testing';
import { parse, stringify } from 'yaml';
import { APPS, containerOf, deploymentOf, find, pathsOf, render } from './chart.fixture.ts';
import { schemaProblems } from './kubernetes-schema.ts';
import { CHART, lintChart, renderChart, type KubernetesObject } from './render-chart.ts';
import { settingsOf } from './settings.fixture.ts';

/** Everything that can be switched on at once. */
const EVERYTHING = {
  global: {
    imageRegistry: 'registry.example.org/team',
    otlpEndpoint: 'http://collector:4318',
    commonLabels: { 'example.org/cost-center': '4711' },
  },
  ...Object.fromEntries(
    APPS.map((app) => [
      app,
      {
        ingress: { enabled: true, className: 'nginx', host: `${app}.example.org`, tlsSecret: 'tls' },
        networkPolicy: { apiFrom: [{ namespaceSelector: { matchLabels: { name: 'web' } } }] },
        settings: { [`${app.split('-')[0]!.toUpperCase()}_LOG_LEVEL`]: 'warn' },
        extraEnv: [{ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/ca.pem' }],
        tolerations: [{ key: 'dedicated', operator: 'Exists' }],
        podAnnotations: { 'example.org/team': 'facts' },
        ...(app === 'authz-grpc' ? { auditVerify: { headsClaim: 'heads' } } : {}),
        extraContainers: [{ name: 'proxy', image: 'proxy:1' }],
        initContainers: [{ name: 'wait', image: 'wait:1' }],
        runtimeClassName: 'gvisor',
        autoscaling: { behavior: { scaleDown: { stabilizationWindowSeconds: 600 } } },
        ...(app === 'authz-grpc'
          ? {
              grpcIngress: { enabled: true, className: 'nginx', host: 'grpc.example.org', tlsSecret: 'tls' },
              tls: { existingSecret: 'authz-tls', clientCa: 'ca.crt' },
            }
          : { authzTls: { existingSecret: 'client-tls', clientCertificate: true } }),
      },
    ]),
  ),
  extraObjects: [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: '{{ .Release.Name }}-extra' },
      data: { of: '{{ .Chart.Name }}' },
    },
  ],
};

/** The blocks of deploy/README.md: an example, TLS, an object of cert-manager, a setting from a Secret. */
const [SHOWN, SHOWN_TLS, , SHOWN_SETTING] = [
  ...readFileSync(join(CHART, '../../README.md'), 'utf8').matchAll(/```yaml\n([^]*?)```/g),
].map(([, text]) => parse(text!) as object);

describe('the chart', () => {
  covers('PLAT-O.2');
  it.each<[string, (string | object)[]]>([
    ['default values', []],
    ['values-minimal.yaml', ['values-minimal.yaml']],
    ['values-production.yaml', ['values-production.yaml']],
    ['values-backup.yaml over them', ['values-production.yaml', 'values-backup.yaml']],
    ['the example of deploy/README.md', ['values-production.yaml', SHOWN!]],
    ['TLS as deploy/README.md has it', ['values-production.yaml', SHOWN!, SHOWN_TLS!]],
    ['a setting from a Secret as deploy/README.md has it', ['values-production.yaml', SHOWN_SETTING!]],
    ['everything switched on', ['values-production.yaml', EVERYTHING]],
  ])(
    'the chart renders with %s into objects that Kubernetes knows, from values that its schema allows',
    async (_, layers) => {
      await lintChart(...pathsOf(layers));
      const { objects } = await render(...layers);
      expect(objects.length).toBeGreaterThan(10);
      for (const object of objects) expect(await schemaProblems(object)).toEqual([]);
      const ids = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
      expect(new Set(ids).size).toBe(ids.length);
    },
  );

  it('a queue gives investigation-api its URL out of the Secret and lets it reach Redis', async () => {
    const queue = { existingSecret: 'queue-url', key: 'queue' };
    const layer = { 'investigation-api': { queue, networkPolicy: { redisPort: 6380 } } };
    const [without, chart] = [await render(), await render(layer)];
    const setting = (of: typeof chart) =>
      containerOf(of, 'investigation-api').env.find(
        ({ name }: { name: string }) => name === 'INVESTIGATION_QUEUE_URL',
      );
    expect(setting(without)).toBeUndefined();
    expect(setting(chart)).toEqual({
      name: 'INVESTIGATION_QUEUE_URL',
      valueFrom: { secretKeyRef: { name: 'queue-url', key: 'queue' } },
    });
    const policyOf = ({ objects }: typeof chart) =>
      JSON.stringify(find(objects, 'NetworkPolicy', 'demo-investigation-api')!.spec);
    expect(policyOf(chart)).toContain('"port":6380');
    expect(policyOf(without)).not.toContain('"port":6379');
  });

  it('the schema finds wrong types and fields that a cluster would drop', async () => {
    const { objects } = await render();
    const service = find(objects, 'Service', 'demo-authz-grpc')!;
    const withSpec = (spec: object) => ({ ...service, spec: { ...service.spec, ...spec } });
    expect(await schemaProblems(withSpec({ ports: [{ port: 'http' }] }))).toEqual([
      expect.stringContaining('port'),
    ]);
    expect(
      await schemaProblems(withSpec({ selektor: {}, ports: [{ port: 80, name: 'a', nodeport: 1 }] })),
    ).toEqual([
      'Service demo-authz-grpc /spec/ports/0/nodeport: unknown field',
      'Service demo-authz-grpc /spec/selektor: unknown field',
    ]);
  });

  it.each([
    [{ 'authz-grpc': { replicaCount: 0 } }, "at '/authz-grpc/replicaCount': minimum: got 0, want 1"],
    [{ 'docstore-api': { replicas: 2 } }, "at '/docstore-api': additional properties 'replicas' not allowed"],
    [
      { 'docstore-api': { database: { existingSecret: 'My Secret' } } },
      '/docstore-api/database/existingSecret',
    ],
    [{ 'investigation-api': { image: { pullPolicy: 'Sometimes' } } }, '/investigation-api/image/pullPolicy'],
    [{ 'investigation-api': { settings: { 'log level': 'x' } } }, "invalid propertyName 'log level'"],
    [{ databases: {} }, "additional properties 'databases' not allowed"],
  ])('the chart refuses the values %j', async (layer, message) => {
    await expect(render(layer)).rejects.toThrow(message);
  });

  it.each([
    [
      { 'authz-grpc': { replicaCount: 2 } },
      'authz-grpc: 2 replicas need database.existingSecret: the embedded database has one replica',
    ],
    [
      { 'docstore-api': { replicaCount: 3, database: { existingSecret: 'db' } } },
      'docstore-api: 3 replicas need redis.existingSecret: counters of one process cannot be shared',
    ],
    [{ 'docstore-api': { ingress: { enabled: true } } }, 'docstore-api: ingress.host must be set'],
    [
      { 'docstore-api': { settings: { DOCSTORE_PORT: 1 } } },
      'docstore-api: settings.DOCSTORE_PORT: the chart sets it out of values of its own; leave it out',
    ],
    [
      { 'docstore-api': { settings: { DATABASE_URL: 'postgres://db' } } },
      'docstore-api: settings.DATABASE_URL: the chart sets it out of values of its own; leave it out',
    ],
  ])('the chart does not render %j', async (layer, message) => {
    await expect(render(layer)).rejects.toThrow(message);
  });

  it('the chart sets only settings that the service has', async () => {
    const chart = await render('values-production.yaml', EVERYTHING);
    for (const app of APPS) {
      const known = settingsOf(app);
      const prefix = new RegExp(`^(${app.split('-')[0]!.toUpperCase()}_|DATABASE_URL|REDIS_URL)`);
      const names = (containerOf(chart, app).env as { name: string }[]).map(({ name }) => name);
      expect(new Set(names).size).toBe(names.length);
      expect(names.filter((one) => prefix.test(one) && !known.has(one))).toEqual([]);
    }
  });

  it('the chart passes settings on unchanged, large numbers too', async () => {
    const settings = {
      DOCSTORE_BYTES_MAX: 1_073_741_824,
      OTEL_TRACES_SAMPLER_ARG: 0.25,
      DOCSTORE_HOST: '::',
    };
    const chart = await render({ 'docstore-api': { settings } });
    const env = containerOf(chart, 'docstore-api').env as { name: string; value: string }[];
    for (const [name, value] of Object.entries(settings))
      expect(env.filter((one) => one.name === name)).toEqual([{ name, value: String(value) }]);
  });

  it('the chart gives a pod longer to end than its drain takes, and stops balancers first', async () => {
    const chart = await render('values-production.yaml');
    for (const app of APPS) {
      const { terminationGracePeriodSeconds } = deploymentOf(chart, app).template.spec;
      const { env, lifecycle } = containerOf(chart, app);
      const seconds = (suffix: string) =>
        Number((env as { name: string; value: string }[]).find(({ name }) => name.endsWith(suffix))!.value) /
        1000;
      const preStop = Number(lifecycle.preStop.exec.command[1]);
      expect(preStop).toBeGreaterThan(0);
      expect(terminationGracePeriodSeconds).toBeGreaterThan(
        preStop + seconds('_DRAIN_DELAY_MS') + seconds('_DRAIN_MAX_MS'),
      );
    }
  });

  it('the chart runs without root, without writing its image, and without a token of the cluster', async () => {
    const { objects } = await render('values-production.yaml');
    const pods = objects.flatMap((object) =>
      [object.spec, object.spec?.template?.spec, object.spec?.jobTemplate?.spec.template.spec].filter(
        (spec) => spec?.containers,
      ),
    );
    expect(pods).toHaveLength(8);
    for (const pod of pods) {
      expect(pod.automountServiceAccountToken).toBe(false);
      expect(pod.securityContext.runAsNonRoot).toBe(true);
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
      }
    }
  });

  it('the chart migrates before it serves, in pods that no Service selects', async () => {
    const { objects } = await render('values-production.yaml');
    for (const app of APPS) {
      const job = find(objects, 'Job', `demo-${app}-migrate`)!;
      expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
      expect(job.spec.template.spec.containers[0].args).toEqual(['migrate']);
      const { selector } = find(objects, 'Service', `demo-${app}`)!.spec;
      expect(job.spec.template.metadata.labels).not.toMatchObject(selector);
    }
    expect((await render()).objects.filter(({ kind }) => kind === 'Job')).toEqual([]);
  });

  it('the chart points the other services at every pod of authz-grpc, by the headless name that exists', async () => {
    const chart = await render('values-production.yaml');
    const headless = find(chart.objects, 'Service', 'demo-authz-grpc-headless')!;
    expect(headless.spec.clusterIP).toBe('None');
    for (const app of ['investigation-api', 'docstore-api'] as const) {
      expect(containerOf(chart, app).env).toContainEqual({
        name: `${app.split('-')[0]!.toUpperCase()}_AUTHZ_URL`,
        value: `dns:///${headless.metadata.name}:${headless.spec.ports[0].port}`,
      });
    }
  });

  it('the chart leads investigation-api to the docstore-api of the release, through the policies of both', async () => {
    covers('PLAT-O.23');
    const apiFrom = [{ namespaceSelector: { matchLabels: { name: 'web' } } }];
    const chart = await render('values-production.yaml', { 'docstore-api': { networkPolicy: { apiFrom } } });
    const { metadata, spec } = find(chart.objects, 'Service', 'demo-docstore-api')!;
    const { port } = spec.ports.find(({ name }: { name: string }) => name === 'http');
    expect(containerOf(chart, 'investigation-api').env).toContainEqual({
      name: 'INVESTIGATION_DOCSTORE_URL',
      value: `http://${metadata.name}:${port}`,
    });
    const peer = (app: string) => ({
      podSelector: {
        matchLabels: { 'app.kubernetes.io/name': app, 'app.kubernetes.io/instance': 'demo' },
      },
    });
    const out = find(chart.objects, 'NetworkPolicy', 'demo-investigation-api')!.spec.egress;
    expect(out).toContainEqual({ ports: [{ port, protocol: 'TCP' }], to: [peer('docstore-api')] });
    const [into] = find(chart.objects, 'NetworkPolicy', 'demo-docstore-api')!.spec.ingress;
    expect(into).toEqual({ ports: [{ port: 'http' }], from: [...apiFrom, peer('investigation-api')] });
  });

  it('the chart leads investigation-api to a docstore-api outside of the release, over TLS by the authority of the values', async () => {
    covers('PLAT-O.23');
    const global = {
      docstoreUrl: 'https://documents.example.org',
      docstoreTo: [{ ipBlock: { cidr: '10.0.0.0/8' } }],
      caSecret: { name: 'authority' },
    };
    const chart = await render('values-production.yaml', { global, 'docstore-api': { enabled: false } });
    const { env } = containerOf(chart, 'investigation-api');
    expect(env).toContainEqual({ name: 'INVESTIGATION_DOCSTORE_URL', value: global.docstoreUrl });
    expect(env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/platform-ca/ca.crt' });
    const out = find(chart.objects, 'NetworkPolicy', 'demo-investigation-api')!.spec.egress;
    expect(out).toContainEqual({ ports: [{ port: 443, protocol: 'TCP' }], to: global.docstoreTo });
  });

  it('the chart renders without authz-grpc, for one outside of the release', async () => {
    const global = { authzTarget: 'dns:///authz.example.org:443' };
    const { objects, notes } = await render({ 'authz-grpc': { enabled: false }, global });
    expect(JSON.stringify(objects)).not.toContain('demo-authz-grpc');
    expect(notes).not.toContain('demo-authz-grpc');
  });

  it.each([
    [
      { 'docstore-api': { enabled: false } },
      'investigation-api: global.docstoreUrl must name another docstore-api, or be none, when docstore-api.enabled is false',
    ],
    [
      { 'authz-grpc': { enabled: false } },
      'global.authzTarget must name another authz-grpc when authz-grpc.enabled is false',
    ],
    [{ global: { docstoreUrl: 'documents:8082' } }, '/global/docstoreUrl'],
  ])(
    'the chart does not render services that would ask one that is not there: %j',
    async (layer, message) => {
      covers('PLAT-O.23');
      await expect(render(layer)).rejects.toThrow(message);
    },
  );

  it('the values time the probes and scale by memory where asked for', async () => {
    covers('PLAT-O.25');
    const probes = {
      startup: { failureThreshold: 300 },
      liveness: { periodSeconds: 20, initialDelaySeconds: 5 },
      readiness: { timeoutSeconds: 4, successThreshold: 2 },
    };
    const scaled = { probes, autoscaling: { targetMemoryUtilizationPercentage: 150 } };
    const layers = ['values-production.yaml', Object.fromEntries(APPS.map((app) => [app, scaled]))];
    await lintChart(...pathsOf(layers));
    const chart = await render(...layers);
    const plain = await render('values-production.yaml');
    for (const app of APPS) {
      const of = (one: typeof chart, name: string) => containerOf(one, app)[`${name}Probe`] as object;
      for (const [name, timing] of Object.entries(probes))
        expect(of(chart, name)).toEqual({ ...of(plain, name), ...timing });
      const metrics = (one: typeof chart) =>
        find(one.objects, 'HorizontalPodAutoscaler', `demo-${app}`)!.spec.metrics as {
          resource: { name: string; target: object };
        }[];
      expect(metrics(plain).map(({ resource }) => resource.name)).toEqual(['cpu']);
      expect(metrics(chart)[1]).toEqual({
        type: 'Resource',
        resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 150 } },
      });
    }
    const misspelt = { 'authz-grpc': { probes: { liveness: { timeout: 3 } } } };
    await expect(render(misspelt)).rejects.toThrow("additional properties 'timeout' not allowed");
  });

  it('the chart leads gRPC from outside to the gRPC port, by an Ingress of its own', async () => {
    const { objects } = await render(EVERYTHING);
    const backend = (name: string) =>
      find(objects, 'Ingress', name)!.spec.rules[0].http.paths[0].backend.service;
    expect(backend('demo-authz-grpc')).toEqual({ name: 'demo-authz-grpc', port: { name: 'http' } });
    expect(backend('demo-authz-grpc-grpc')).toEqual({ name: 'demo-authz-grpc', port: { name: 'grpc' } });
    expect(find(objects, 'Ingress', 'demo-authz-grpc-grpc')!.metadata.annotations).toEqual({
      'nginx.ingress.kubernetes.io/backend-protocol': 'GRPCS',
    });
    await expect(render({ 'authz-grpc': { grpcIngress: { enabled: true } } })).rejects.toThrow(
      'authz-grpc: grpcIngress.host must be set when grpcIngress.enabled is true',
    );
  });

  it('the chart puts further containers and objects of the values beside its own', async () => {
    const chart = await render(EVERYTHING);
    for (const app of APPS) {
      const { containers, initContainers, runtimeClassName } = deploymentOf(chart, app).template.spec;
      expect(containers.map(({ name }: { name: string }) => name)).toEqual([app, 'proxy']);
      expect([initContainers, runtimeClassName]).toEqual([[{ name: 'wait', image: 'wait:1' }], 'gvisor']);
    }
    expect(find(chart.objects, 'ConfigMap', 'demo-extra')).toMatchObject({ data: { of: 'platform' } });
  });

  it('the chart holds secrets by reference only', async () => {
    const { objects } = await render('values-production.yaml');
    expect(objects.filter(({ kind }) => kind === 'Secret')).toEqual([]);
    expect(JSON.stringify(objects)).not.toMatch(/postgres:\/\/|redis:\/\//);
  });

  it('the chart leaves out a service that is switched off', async () => {
    const { objects, notes } = await render({
      'docstore-api': { enabled: false },
      global: { docstoreUrl: 'none' },
    });
    expect(JSON.stringify(objects)).not.toContain('docstore');
    expect(notes).not.toContain('docstore');
  });

  it('the notes after install list every address and what is not kept', async () => {
    const { notes } = await render();
    expect(notes).toContain('kubectl --namespace apps port-forward service/demo-investigation-api 8080:8080');
    expect(notes).toContain('EMBEDDED database, one replica, forgotten with its pod');
    expect((await render('values-production.yaml')).notes).not.toContain('EMBEDDED');
  });

  it('the chart gives every object a name that Kubernetes takes, however long the name of the release', async () => {
    const release = 'r'.repeat(53);
    const { objects } = await renderChart(pathsOf(['values-production.yaml', EVERYTHING]), release);
    for (const { kind, metadata } of objects)
      expect(metadata.name.length).toBeLessThanOrEqual(kind === 'CronJob' ? 52 : 63);
    const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`);
    expect(new Set(names).size).toBe(names.length);
    const headless = objects.find(({ spec }) => spec?.clusterIP === 'None')!.metadata.name;
    expect(JSON.stringify(objects)).toContain(`dns:///${headless}:50051`);
  });

  it.each([
    [
      { 'investigation-api': { workers: 8 } },
      'investigation-api: resources.limits.memory (2560Mi) is less than workers (8) x workerMemoryMiB (1024) + 512 MiB = 8704Mi',
    ],
    [
      { 'authz-grpc': { autoscaling: { enabled: true, minReplicas: 20, maxReplicas: 12 } } },
      'authz-grpc: autoscaling.minReplicas (20) must not exceed autoscaling.maxReplicas (12)',
    ],
    [
      { 'docstore-api': { resources: { limit: { memory: '1Gi' } } } },
      "additional properties 'limit' not allowed",
    ],
    [{ 'investigation-api': { settings: { INVESTIGATION_WORKERS: 4 } } }, 'settings.INVESTIGATION_WORKERS'],
  ])('the chart refuses values that do not fit together: %j', async (layer, message) => {
    covers('PLAT-O.4');
    await expect(render('values-production.yaml', layer)).rejects.toThrow(message);
  });

  it.each(['4Gi', '4096Mi', '4500M', 4_294_967_296])(
    'the chart reads a memory limit written as %s',
    async (memory) => {
      const resources = { limits: { memory } };
      const layer = { 'investigation-api': { workers: 3, resources } };
      expect(containerOf(await render(layer), 'investigation-api').resources.limits.memory).toBeDefined();
    },
  );

  it('the chart gives the migration Job and the test pod what the pods of the service get', async () => {
    covers('PLAT-O.3');
    const volume = { name: 'extra', configMap: { name: 'extra' } };
    const placed = {
      podAnnotations: { 'example.org/team': 'facts' },
      podLabels: { mesh: 'outside' },
      priorityClassName: 'high',
      nodeSelector: { pool: 'facts' },
      tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      extraEnvFrom: [{ configMapRef: { name: 'more' } }],
      extraVolumes: [volume],
      extraVolumeMounts: [{ name: 'extra', mountPath: '/extra' }],
      image: { tag: '9.9.9' },
    };
    const global = { imagePullSecrets: [{ name: 'pull' }], caSecret: { name: 'authority' } };
    const layer = { global, ...Object.fromEntries(APPS.map((app) => [app, placed])) };
    const { objects } = await render('values-production.yaml', layer);
    const services = APPS.map((app) => find(objects, 'Deployment', `demo-${app}`)!.spec.template);
    const jobs = APPS.map((app) => find(objects, 'Job', `demo-${app}-migrate`)!.spec.template);
    for (const { metadata, spec } of [...services, ...jobs]) {
      expect(metadata.annotations).toEqual(placed.podAnnotations);
      expect(metadata.labels).toMatchObject(placed.podLabels);
      expect(spec.volumes).toEqual(
        expect.arrayContaining([volume, { name: 'ca', secret: { secretName: 'authority' } }]),
      );
      const [container] = spec.containers;
      expect(container.envFrom).toEqual(placed.extraEnvFrom);
      expect(container.env).toContainEqual({ name: 'NODE_EXTRA_CA_CERTS', value: '/etc/platform-ca/ca.crt' });
      const mounts = (container.volumeMounts as { name: string }[]).map(({ name }) => name);
      expect(mounts).toEqual(expect.arrayContaining(['tmp', 'ca', 'extra']));
    }
    const test = find(objects, 'Pod', 'demo-test')!.spec;
    for (const spec of [...services, ...jobs].map((template) => template.spec).concat(test)) {
      expect(spec.imagePullSecrets).toEqual([{ name: 'pull' }]);
      expect(spec.priorityClassName).toBe('high');
      expect(spec.nodeSelector).toEqual(placed.nodeSelector);
      expect(spec.tolerations).toEqual(placed.tolerations);
      expect(spec.containers[0].image).toMatch(/:9\.9\.9$/);
      expect(spec.containers[0].resources.limits.memory).toBeDefined();
    }
  });

  it('the chart has the audit verified every night, with the secrets and the database of the service', async () => {
    covers('PLAT-O.15');
    const chart = await render('values-production.yaml', {
      'authz-grpc': { auditVerify: { headsClaim: 'heads' } },
    });
    const { jobTemplate, schedule } = find(chart.objects, 'CronJob', 'demo-authz-grpc-audit')!.spec;
    expect(schedule).toBe('30 2 * * *');
    const { metadata, spec } = jobTemplate.spec.template;
    const [container] = spec.containers;
    expect(container.args).toEqual(['audit-verify', '--heads', '/heads/heads']);
    const own = containerOf(chart, 'authz-grpc');
    expect([container.image, container.env]).toEqual([own.image, own.env]);
    expect(spec.volumes).toContainEqual({ name: 'heads', persistentVolumeClaim: { claimName: 'heads' } });
    const service = find(chart.objects, 'Service', 'demo-authz-grpc')!;
    expect(metadata.labels).not.toMatchObject(service.spec.selector);
    const policy = find(chart.objects, 'NetworkPolicy', 'demo-authz-grpc-audit')!;
    expect(metadata.labels).toMatchObject(policy.spec.podSelector.matchLabels);
    // An embedded database is open in the service alone.
    const embedded = await render({ 'authz-grpc': { auditVerify: { enabled: true } } });
    expect(embedded.objects.filter(({ kind }) => kind === 'CronJob')).toEqual([]);
  });

  it('the chart lets a migration Job reach its database where the namespace denies by default', async () => {
    covers('PLAT-O.3');
    const { objects } = await render('values-production.yaml');
    for (const app of APPS) {
      const policy = find(objects, 'NetworkPolicy', `demo-${app}-migrate`)!;
      const job = find(objects, 'Job', `demo-${app}-migrate`)!;
      expect(job.spec.template.metadata.labels).toMatchObject(policy.spec.podSelector.matchLabels);
      expect(policy.metadata.annotations).toMatchObject({ 'helm.sh/hook-weight': '-5' });
      const ports = (policy.spec.egress as { ports: { port: number }[] }[]).flatMap((rule) =>
        rule.ports.map(({ port }) => port),
      );
      expect(ports).toContain(5432);
      expect(policy.spec.ingress).toBeUndefined();
    }
  });

  it('the chart lets pods reach the collector and the authz-grpc that the values name', async () => {
    const authzTo = [{ ipBlock: { cidr: '10.1.0.0/16' } }];
    const global = {
      otlpEndpoint: 'https://collector.example.org/v1',
      authzTarget: 'dns:///authz.example.org:443',
      authzTo,
    };
    const { objects } = await render({ global });
    const { egress } = find(objects, 'NetworkPolicy', 'demo-docstore-api')!.spec;
    expect(egress).toContainEqual({ ports: [{ port: 443, protocol: 'TCP' }], to: authzTo });
    expect(egress).toContainEqual({ ports: [{ port: 443, protocol: 'TCP' }] });
  });

  it('the chart keeps probes and metrics inside the cluster when a service is published', async () => {
    const service = { type: 'LoadBalancer', annotations: { 'example.org/internal': 'false' } };
    const { objects } = await render({ 'docstore-api': { service } });
    const portsOf = (name: string) =>
      (find(objects, 'Service', name)!.spec.ports as { name: string }[]).map((port) => port.name);
    expect(portsOf('demo-docstore-api')).toEqual(['http']);
    expect(find(objects, 'Service', 'demo-docstore-api')!.metadata.annotations).toEqual(service.annotations);
    expect(portsOf('demo-docstore-api-probe')).toEqual(['probe']);
    expect(find(objects, 'Service', 'demo-docstore-api-probe')!.spec.type).toBe('ClusterIP');
  });

  it('the values time and relabel the scrapes of a service', async () => {
    covers('PLAT-O.25');
    const rule = [{ targetLabel: 'cluster', replacement: 'one' }];
    const serviceMonitor = { scrapeTimeout: '5s', relabelings: rule, metricRelabelings: rule };
    const layers = Object.fromEntries(APPS.map((app) => [app, { serviceMonitor }]));
    const { objects } = await render('values-production.yaml', layers);
    for (const app of APPS)
      expect(find(objects, 'ServiceMonitor', `demo-${app}`)!.spec.endpoints).toEqual([
        expect.objectContaining({ port: 'probe', path: '/metrics', ...serviceMonitor }),
      ]);
  });

  it('the chart installs the alert rules and the dashboard of its own folder', async () => {
    const runbooks = 'https://wiki.example.org/runbooks';
    const { objects } = await render({
      prometheusRule: { enabled: true, labels: { release: 'prometheus' }, runbooks },
      dashboard: { enabled: true },
    });
    const rule = find(objects, 'PrometheusRule', 'demo-alerts')!;
    const written = readFileSync(join(CHART, 'observability/alerts.yaml'), 'utf8');
    expect(rule.spec).toEqual(parse(written.replaceAll('docs/runbooks.md', runbooks)));
    expect(rule.metadata.labels).toMatchObject({ release: 'prometheus' });
    const map = find(objects, 'ConfigMap', 'demo-dashboard') as KubernetesObject & {
      data: Record<string, string>;
    };
    const drawn = readFileSync(join(CHART, 'observability/dashboard.json'), 'utf8');
    expect(map.data['platform.json']).toBe(drawn.replaceAll('docs/runbooks.md', runbooks));
    expect((await render()).objects.filter(({ kind }) => /PrometheusRule|ConfigMap/.test(kind))).toEqual([]);
  });

  it('the chart warns after an install with a database and without the two secrets of authz-grpc', async () => {
    covers('PLAT-O.5');
    const open = { rootPassword: { existingSecret: '' }, signingKeys: { existingSecret: '' } };
    const { notes } = await render('values-production.yaml', { 'authz-grpc': open });
    expect(notes).toContain('WARNING: the signing keys lie unencrypted in the database');
    expect(notes).toContain('WARNING: the password of the system root stands in the log');
    expect((await render('values-production.yaml')).notes).not.toContain('WARNING');
  });

  it('the jobs of the backup get pull secrets, placement, authority and network as the values have them', async () => {
    covers('PLAT-O.29');
    const tolerations = [{ key: 'dedicated', operator: 'Exists' }];
    const databaseTo = [{ ipBlock: { cidr: '10.2.0.0/16' } }];
    const { objects } = await render('values-production.yaml', 'values-backup.yaml', {
      global: {
        imagePullSecrets: [{ name: 'pull' }],
        caSecret: { name: 'authority', key: 'root.crt' },
        commonLabels: { 'example.org/cost-center': '4711' },
      },
      backup: { image: 'registry.example.org/postgres:17', nodeSelector: { pool: 'data' }, tolerations },
      'docstore-api': { database: { existingSecret: 'other', key: 'dsn' }, networkPolicy: { databaseTo } },
    });
    const policy = find(objects, 'NetworkPolicy', 'demo-backup')!;
    expect(policy.spec.egress).toContainEqual({ ports: [{ port: 5432, protocol: 'TCP' }], to: databaseTo });
    for (const name of ['backup', 'restore']) {
      const { metadata, spec } = find(objects, 'CronJob', `demo-${name}`)!.spec.jobTemplate.spec.template;
      expect(metadata.labels).toMatchObject({
        ...policy.spec.podSelector.matchLabels,
        'example.org/cost-center': '4711',
      });
      expect(spec).toMatchObject({
        imagePullSecrets: [{ name: 'pull' }],
        nodeSelector: { pool: 'data' },
        tolerations,
      });
      const [{ image, env }] = spec.containers;
      expect(image).toBe('registry.example.org/postgres:17');
      expect(env).toContainEqual({ name: 'PGSSLROOTCERT', value: '/etc/platform-ca/root.crt' });
      expect(env).toContainEqual({
        name: 'DOCSTORE_URL',
        valueFrom: { secretKeyRef: { name: 'other', key: 'dsn' } },
      });
    }
  });

  it('a backup that hangs is ended before the next night, and a restore never', async () => {
    covers('PLAT-O.27');
    const { objects } = await render('values-production.yaml', 'values-backup.yaml');
    const jobOf = (name: string) => find(objects, 'CronJob', `demo-${name}`)!.spec.jobTemplate.spec;
    expect(jobOf('backup').activeDeadlineSeconds).toBeLessThan(86_400);
    expect(jobOf('restore').activeDeadlineSeconds).toBeUndefined();
  });

  it('the example of deploy/README.md gives rules and monitors the label that an Operator may pick by', async () => {
    covers('PLAT-O.1');
    const { objects } = await render('values-production.yaml', SHOWN!);
    const monitoring = objects.filter(({ kind }) => /PrometheusRule|ServiceMonitor/.test(kind));
    expect(monitoring.map(({ kind, metadata }) => [kind, metadata.labels?.['release']])).toEqual([
      ['PrometheusRule', 'prometheus'],
      ['ServiceMonitor', 'prometheus'],
      ['ServiceMonitor', 'prometheus'],
      ['ServiceMonitor', 'prometheus'],
    ]);
  });

  it('the command of deploy/README.md for what an uninstall leaves takes every kind that Helm runs as a hook', async () => {
    covers('PLAT-O.2');
    const page = readFileSync(join(CHART, '../../README.md'), 'utf8');
    const [, kinds] = /kubectl delete (\S+) --selector app\.kubernetes\.io\/instance=platform`/.exec(page)!;
    const { objects } = await render('values-production.yaml', 'values-backup.yaml');
    const hooks = objects.filter(({ metadata }) => metadata.annotations?.['helm.sh/hook'] !== undefined);
    expect(new Set(kinds!.split(','))).toEqual(new Set(hooks.map(({ kind }) => kind.toLowerCase())));
    for (const { metadata } of hooks)
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/instance': 'demo' });
  });

  it('the chart does not render a backup of an embedded database', async () => {
    covers('PLAT-O.29');
    await expect(render('values-backup.yaml')).rejects.toThrow(
      'backup: authz-grpc.database.existingSecret must be set: an embedded database is not dumped',
    );
  });

  it('the command of deploy/README.md for a certain night makes a Job that restores that night', async () => {
    covers('PLAT-O.28');
    const page = readFileSync(join(CHART, '../../README.md'), 'utf8');
    const [, args] = /kubectl (set env --local .*?) \|/.exec(page)!;
    const { objects } = await render('values-production.yaml', 'values-backup.yaml');
    const { spec } = find(objects, 'CronJob', 'demo-restore')!.spec.jobTemplate;
    const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'restore' }, spec };
    const printed = execFileSync(await findKubectl(), args!.split(' '), {
      input: stringify(job),
      encoding: 'utf8',
    });
    // kubectl prints nothing at all where the command changes nothing.
    expect(parse(printed).spec.template.spec.containers[0].env).toContainEqual({
      name: 'NIGHT',
      value: expect.stringMatching(/^\d{8}T\d{6}Z$/),
    });
  });
});
