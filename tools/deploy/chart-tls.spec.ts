import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { APPS, containerOf, deploymentOf, find, render } from './chart.fixture.ts';
import { settingsOf } from './settings.fixture.ts';

const CLIENTS = ['investigation-api', 'docstore-api'] as const;

const SERVER = { 'authz-grpc': { tls: { existingSecret: 'authz-tls' } } };
const ONE_WAY = {
  ...SERVER,
  'investigation-api': { authzTls: { existingSecret: 'client-tls' } },
  'docstore-api': { authzTls: { existingSecret: 'client-tls' } },
};
const MUTUAL = {
  'authz-grpc': { tls: { existingSecret: 'authz-tls', clientCa: 'ca.crt' } },
  ...Object.fromEntries(
    CLIENTS.map((app) => [app, { authzTls: { existingSecret: 'client-tls', clientCertificate: true } }]),
  ),
};

type Variable = Readonly<Record<'name' | 'value', string>>;
const certificatesIn = (container: { readonly env: readonly Variable[] }) =>
  Object.fromEntries(
    container.env.filter(({ name }) => /_TLS_/.test(name)).map(({ name, value }) => [name, value]),
  );
const secretOf = (app: string) => (app === 'authz-grpc' ? 'authz-tls' : 'client-tls');

describe('TLS of the chart', () => {
  covers('PLAT-O.17');

  it.each([
    ['without TLS', {}, {}, {}],
    [
      'with TLS',
      ONE_WAY,
      { AUTHZ_TLS_CERT: '/etc/platform-tls/tls.crt', AUTHZ_TLS_KEY: '/etc/platform-tls/tls.key' },
      { AUTHZ_TLS_CA: '/etc/platform-tls/ca.crt' },
    ],
    [
      'with mutual TLS',
      MUTUAL,
      {
        AUTHZ_TLS_CERT: '/etc/platform-tls/tls.crt',
        AUTHZ_TLS_KEY: '/etc/platform-tls/tls.key',
        AUTHZ_TLS_CLIENT_CA: '/etc/platform-tls/ca.crt',
      },
      {
        AUTHZ_TLS_CA: '/etc/platform-tls/ca.crt',
        AUTHZ_TLS_CERT: '/etc/platform-tls/tls.crt',
        AUTHZ_TLS_KEY: '/etc/platform-tls/tls.key',
      },
    ],
  ])('services, Jobs and the nightly check have their certificates %s', async (_, layer, server, client) => {
    const chart = await render('values-production.yaml', layer);
    const audit = find(chart.objects, 'CronJob', 'demo-authz-grpc-audit')!.spec.jobTemplate.spec.template;
    for (const app of APPS) {
      const prefix = `${app.split('-')[0]!.toUpperCase()}_`;
      const wanted =
        app === 'authz-grpc'
          ? server
          : Object.fromEntries(Object.entries(client).map(([name, value]) => [prefix + name, value]));
      const known = settingsOf(app);
      expect(Object.keys(wanted).filter((name) => !known.has(name))).toEqual([]);
      const job = find(chart.objects, 'Job', `demo-${app}-migrate`)!.spec.template;
      const pods = [deploymentOf(chart, app).template, job, ...(app === 'authz-grpc' ? [audit] : [])];
      for (const { spec } of pods) {
        const [container] = spec.containers;
        expect(certificatesIn(container)).toEqual(wanted);
        const mounts = container.volumeMounts.filter(({ name }: Variable) => name === 'tls');
        const volumes = spec.volumes.filter(({ name }: Variable) => name === 'tls');
        const isThere = Object.keys(wanted).length > 0;
        expect(mounts).toEqual(
          isThere ? [{ name: 'tls', mountPath: '/etc/platform-tls', readOnly: true }] : [],
        );
        // The key is readable by the group of the pod, which its processes have, and by nobody else.
        const secret = { secretName: secretOf(app), defaultMode: 0o440 };
        expect(volumes).toEqual(isThere ? [{ name: 'tls', secret }] : []);
      }
    }
  });

  it('probes, metrics and the pod of helm test ask the probe port, which speaks plaintext under TLS as well', async () => {
    const chart = await render('values-production.yaml', MUTUAL);
    for (const app of APPS) {
      const { startupProbe, livenessProbe, readinessProbe } = containerOf(chart, app);
      for (const { httpGet } of [startupProbe, livenessProbe, readinessProbe]) {
        expect(httpGet.port).toBe('probe');
        expect(httpGet.scheme ?? 'HTTP').toBe('HTTP');
      }
      const [endpoint] = find(chart.objects, 'ServiceMonitor', `demo-${app}`)!.spec.endpoints;
      expect([endpoint.port, endpoint.scheme]).toEqual(['probe', undefined]);
    }
    const { command } = find(chart.objects, 'Pod', 'demo-test')!.spec.containers[0];
    expect(command.filter((word: string) => /^https?:/.test(word))).toEqual([
      'http://demo-authz-grpc:9081/readyz',
      'http://demo-docstore-api:9082/readyz',
      'http://demo-investigation-api:9080/readyz',
    ]);
  });

  it.each([
    ['plaintext', {}, [undefined, 'kubernetes.io/h2c', undefined], [null, 'GRPC']],
    ['TLS', ONE_WAY, ['https', 'https', undefined], ['HTTPS', 'GRPCS']],
  ])('balancers and Ingresses are told that authz-grpc speaks %s', async (_, layer, protocols, backends) => {
    const published = {
      ingress: { enabled: true, host: 'rest.example.org' },
      grpcIngress: { enabled: true, host: 'grpc.example.org' },
    };
    const { objects } = await render(layer, { 'authz-grpc': published });
    const ports = find(objects, 'Service', 'demo-authz-grpc')!.spec.ports as (Variable & {
      appProtocol?: string;
    })[];
    const spoken = ['http', 'grpc', 'probe'].map(
      (port) => ports.find(({ name }) => name === port)!.appProtocol,
    );
    expect(spoken).toEqual(protocols);
    const said = ['demo-authz-grpc', 'demo-authz-grpc-grpc'].map(
      (name) =>
        find(objects, 'Ingress', name)!.metadata.annotations?.[
          'nginx.ingress.kubernetes.io/backend-protocol'
        ] ?? null,
    );
    expect(said).toEqual(backends);
    const annotations = { 'nginx.ingress.kubernetes.io/backend-protocol': 'H2C' };
    const own = await render(layer, {
      'authz-grpc': { grpcIngress: { ...published.grpcIngress, annotations } },
    });
    expect(find(own.objects, 'Ingress', 'demo-authz-grpc-grpc')!.metadata.annotations).toEqual(annotations);
  });

  it.each([
    [SERVER, 'investigation-api: authzTls.existingSecret must be set'],
    [
      { 'docstore-api': { authzTls: { existingSecret: 'client-tls' } } },
      'docstore-api: authzTls needs authz-grpc.tls.existingSecret',
    ],
    [
      { ...ONE_WAY, 'authz-grpc': MUTUAL['authz-grpc'] },
      'investigation-api: authzTls.clientCertificate must be true',
    ],
    [{ 'authz-grpc': { tls: { clientCa: 'ca.crt' } } }, 'authz-grpc: tls.clientCa needs tls.existingSecret'],
    [
      {
        ...ONE_WAY,
        'docstore-api': { ...ONE_WAY['docstore-api'], settings: { DOCSTORE_AUTHZ_TLS_CA: '/x' } },
      },
      'docstore-api: settings.DOCSTORE_AUTHZ_TLS_CA: the chart sets it out of values of its own',
    ],
  ])('the chart does not render services that could not talk to each other: %j', async (layer, message) => {
    await expect(render(layer)).rejects.toThrow(message);
  });

  it('an authz-grpc outside of the release may speak TLS, whatever the one inside does', async () => {
    const global = { authzTarget: 'dns:///authz.example.org:443' };
    const chart = await render({ global, 'docstore-api': { authzTls: { existingSecret: 'client-tls' } } });
    expect(Object.keys(certificatesIn(containerOf(chart, 'docstore-api')))).toEqual([
      'DOCSTORE_AUTHZ_TLS_CA',
    ]);
  });
});

describe('names, labels and scaling of the chart', () => {
  covers('PLAT-O.18');

  it.each([
    [{ nameOverride: 'facts' }, 'demo-facts'],
    [{ fullnameOverride: 'facts' }, 'facts'],
    [{ nameOverride: 'unused', fullnameOverride: 'facts' }, 'facts'],
  ])(
    'every name begins with what the values %j say, those that refer to others as well',
    async (global, prefix) => {
      const { objects, notes } = await render('values-production.yaml', { global });
      for (const { metadata } of objects) expect(metadata.name).toMatch(new RegExp(`^${prefix}-`));
      const text = JSON.stringify(objects);
      // What others refer to: the gRPC target, probes of helm test, accounts, scaled Deployments.
      expect(text).toContain(`dns:///${prefix}-authz-grpc-headless:50051`);
      expect(text).toContain(`http://${prefix}-docstore-api:9082/readyz`);
      expect(notes).toContain(`service/${prefix}-investigation-api 8080:8080`);
      for (const app of APPS) {
        const { serviceAccountName } = find(objects, 'Deployment', `${prefix}-${app}`)!.spec.template.spec;
        expect(find(objects, 'ServiceAccount', serviceAccountName)).toBeDefined();
        const scaled = find(objects, 'HorizontalPodAutoscaler', `${prefix}-${app}`)!.spec.scaleTargetRef;
        expect(find(objects, scaled.kind, scaled.name)).toBeDefined();
      }
      const inSelectors = objects
        .filter(({ kind }) => kind === 'Deployment')
        .map(({ spec }) => spec.selector);
      expect(JSON.stringify(inSelectors)).not.toContain('facts');
    },
  );

  it('common labels are on every object and pod, and in no selector', async () => {
    const commonLabels = { 'example.org/cost-center': '4711', owner: 'facts' };
    const monitored = { prometheusRule: { enabled: true }, dashboard: { enabled: true } };
    const podLabels = { owner: 'permissions' };
    const { objects } = await render('values-production.yaml', monitored, {
      global: { commonLabels },
      'authz-grpc': { podLabels },
    });
    for (const { kind, metadata, spec } of objects) {
      expect([kind, metadata.labels]).toEqual([kind, expect.objectContaining(commonLabels)]);
      const template = spec?.jobTemplate?.spec.template ?? spec?.template;
      if (template === undefined) continue;
      // A label of one service's pods goes before that of all.
      const owner = metadata.name.includes('authz-grpc') ? podLabels : {};
      expect(template.metadata.labels).toMatchObject({ ...commonLabels, ...owner });
      expect(JSON.stringify(spec.selector ?? {})).not.toMatch(/cost-center|owner/);
    }
    await expect(render({ global: { commonLabels: { 'app.kubernetes.io/name': 'mine' } } })).rejects.toThrow(
      "invalid propertyName 'app.kubernetes.io/name'",
    );
  });

  it('pods are the same under every version of the chart, and name the tag and registry of the values', async () => {
    const layer = Object.fromEntries(APPS.map((app) => [app, { image: { tag: '9.9.9' } }]));
    const global = { imageRegistry: 'registry.example.org/team/' };
    const { objects } = await render('values-production.yaml', { global, ...layer });
    for (const app of APPS) {
      const { metadata, spec } = find(objects, 'Deployment', `demo-${app}`)!;
      expect(metadata.labels).toHaveProperty(['helm.sh/chart']);
      const { labels } = spec.template.metadata;
      expect(labels).not.toHaveProperty(['helm.sh/chart']);
      expect(labels).toMatchObject({ 'app.kubernetes.io/version': '9.9.9' });
      const { image } = spec.template.spec.containers[0];
      expect(image).toBe(`registry.example.org/team/platform/${app}:9.9.9`);
    }
  });

  it('an autoscaler behaves as the values say', async () => {
    const behavior = { scaleDown: { stabilizationWindowSeconds: 600 } };
    const layer = { 'authz-grpc': { autoscaling: { behavior } } };
    const { objects } = await render('values-production.yaml', layer);
    const behaviorOf = (app: string) =>
      find(objects, 'HorizontalPodAutoscaler', `demo-${app}`)!.spec.behavior as unknown;
    expect(APPS.map(behaviorOf)).toEqual([behavior, undefined, undefined]);
    const misspelt = { 'authz-grpc': { autoscaling: { behavior: { scaledown: {} } } } };
    await expect(render(misspelt)).rejects.toThrow("additional properties 'scaledown' not allowed");
  });
});
