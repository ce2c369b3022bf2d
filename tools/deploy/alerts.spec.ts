import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { findPromtool } from '@platform/testing';
import { stringify } from 'yaml';
import { expectAlert, groups, RULES, type AlertCases, type Group, type Series } from './alerts.fixture.ts';
import { CHART, renderChart } from './render-chart.ts';
import { settingsOf } from './settings.fixture.ts';

const run = promisify(execFile);
const alerts = groups.flatMap(({ rules }) => rules);
const names = alerts.map(({ alert }) => alert);

/**
 * One series of a service as a Prometheus stores it that the Operator set up: `service` is the Kubernetes
 * Service.
 */
function own(app: string, metric: string, labels: Series = {}): string {
  const found = {
    app,
    service: `platform-${app}`,
    job: `platform-${app}`,
    namespace: 'apps',
    pod: `platform-${app}-0`,
    instance: '10.0.0.1:9080',
    ...labels,
  };
  return series(metric, found);
}
const series = (metric: string, labels: Series) =>
  `${metric}{${Object.entries(labels)
    .map(([name, value]) => `${name}="${value}"`)
    .join(',')}}`;

const http = (code: string, labels: Series = {}) =>
  own('docstore-api', 'http_request_duration_seconds_count', { route: '/v1/file', code, ...labels });
const grpc = (code: string) =>
  own('authz-grpc', 'grpc_request_duration_seconds_count', { method: 'CheckAuthorization', code });
const tool = (outcome: string) =>
  own('investigation-api', 'investigation_tool_calls_total', { tool: 'get_docs', outcome });
const delivery = (outcome: string) =>
  own('investigation-api', 'investigation_watch_deliveries_total', { outcome });
const ready = (app: string, instance = '10.0.0.1:9080') => own(app, 'service_ready', { instance });
const ALL = ['authz-grpc', 'investigation-api', 'docstore-api'];
const kube = { namespace: 'apps', pod: 'platform-docstore-api-0', container: 'docstore-api' };
const job = { namespace: 'apps', job_name: 'platform-docstore-api-migrate' };
const auditJob = { namespace: 'apps', job_name: 'platform-authz-grpc-audit-29398470' };
const auditCronJob = { namespace: 'apps', cronjob: 'platform-authz-grpc-audit' };
const backup = { namespace: 'apps', cronjob: 'platform-backup' };
const [succeeded, createdAt] = ['kube_cronjob_status_last_successful_time', 'kube_cronjob_created'];
/** What a cluster has besides the backup: a service in its namespace, and kube-state-metrics. */
const around = {
  [own('authz-grpc', 'service_ready')]: '1x60',
  [series('kube_pod_info', { namespace: 'apps', pod: 'platform-authz-grpc-0' })]: '1x60',
};
const slow = (app: string, base: string, labels: Series, le: string) => ({
  [own(app, `${base}_bucket`, { ...labels, le })]: '0+600x60',
  [own(app, `${base}_bucket`, { ...labels, le: '+Inf' })]: '0+600x60',
  [own(app, `${base}_count`, labels)]: '0+600x60',
});
const check = { method: 'CheckAuthorization', code: '0' };
const constant = (value: number) => `${value}x60`;

/** What each alert is for. */
const CASES: Readonly<Record<string, AlertCases>> = {
  ServiceAbsent: {
    fires: [
      { [ready('authz-grpc')]: constant(1), [ready('docstore-api')]: constant(1) },
      // A process that is gone: its series ends, and its target stays down.
      Object.fromEntries(ALL.map((app) => [ready(app), app === 'authz-grpc' ? '1x5 stale' : constant(1)])),
    ],
    silent: [Object.fromEntries(ALL.map((app) => [ready(app), constant(1)]))],
  },
  ServiceUnavailable: {
    fires: [{ [ready('docstore-api')]: constant(0), [ready('docstore-api', 'b')]: constant(0) }],
    silent: [{ [ready('docstore-api')]: constant(0), [ready('docstore-api', 'b')]: constant(1) }],
  },
  ReplicaNotReady: {
    fires: [{ [ready('docstore-api')]: constant(0), [ready('docstore-api', 'b')]: constant(1) }],
    silent: [{ [ready('docstore-api')]: '1x10 0x3 1x40' }],
  },
  TargetDown: {
    fires: [
      { [series('up', { job: 'platform-authz-grpc', instance: 'a' })]: constant(0) },
      { [series('up', { job: 'docstore-api', instance: 'a' })]: constant(0) },
    ],
    silent: [{ [series('up', { job: 'node-exporter', instance: 'a' })]: constant(0) }],
  },
  PodsRestarting: {
    fires: [{ [series('kube_pod_container_status_restarts_total', kube)]: '0x10 3x50' }],
    silent: [{ [series('kube_pod_container_status_restarts_total', kube)]: '0x10 1x50' }],
  },
  MemoryNearLimit: {
    fires: [
      {
        [series('container_memory_working_set_bytes', kube)]: constant(620),
        [series('kube_pod_container_resource_limits', { ...kube, resource: 'memory' })]: constant(640),
      },
    ],
    silent: [
      {
        [series('container_memory_working_set_bytes', kube)]: constant(400),
        [series('kube_pod_container_resource_limits', { ...kube, resource: 'memory' })]: constant(640),
      },
    ],
  },
  MigrationFailed: {
    fires: [{ [series('kube_job_status_failed', job)]: constant(1) }],
    silent: [
      { [series('kube_job_status_failed', job)]: constant(0) },
      { [series('kube_job_status_failed', { ...job, job_name: 'backup' })]: constant(1) },
    ],
  },
  AuditVerifyFailed: {
    fires: [
      { [series('kube_job_status_failed', auditJob)]: '0x10 1x50' },
      { [series(succeeded, auditCronJob)]: constant(-200_000) },
      // Made long ago, and its first Job still waits: for a volume, a Secret, an image.
      { [series(createdAt, auditCronJob)]: constant(-200_000) },
    ],
    silent: [
      { [series('kube_job_status_failed', auditJob)]: constant(0) },
      {
        [series(succeeded, auditCronJob)]: constant(-80_000),
        [series(createdAt, auditCronJob)]: constant(-900_000),
      },
      // Its first night is still to come.
      { [series(createdAt, auditCronJob)]: constant(-40_000) },
    ],
  },
  BackupMissing: {
    fires: [
      { ...around, [series(succeeded, backup)]: constant(-110_000) },
      // Made long ago, and no dump since.
      { ...around, [series(createdAt, backup)]: constant(-110_000) },
      // Taken away by an upgrade without values-backup.yaml.
      { ...around, [series(createdAt, backup)]: '0x10 stale' },
    ],
    silent: [
      {
        ...around,
        [series(succeeded, backup)]: constant(-80_000),
        [series(createdAt, backup)]: constant(-900_000),
      },
      // Its first night is still to come.
      { ...around, [series(createdAt, backup)]: constant(-40_000) },
      // Another team's.
      { ...around, [series(succeeded, { ...backup, namespace: 'others' })]: constant(-110_000) },
      // A repeated Job that succeeded in the end.
      {
        ...around,
        [series(succeeded, backup)]: constant(0),
        [series('kube_job_status_failed', { namespace: 'apps', job_name: 'platform-backup-29398470' })]:
          constant(1),
      },
      // kube-state-metrics is gone, not the CronJob.
      { [ready('authz-grpc')]: constant(1), [series(createdAt, backup)]: '0x10 stale' },
    ],
  },
  ClusterMetricsAbsent: {
    fires: [{ [ready('authz-grpc')]: constant(1) }],
    silent: [
      around,
      // A machine without Kubernetes.
      { [series('service_ready', { app: 'authz-grpc', instance: 'a' })]: constant(1) },
    ],
  },
  HttpErrorRate: {
    fires: [
      { [http('200')]: '0+600x60', [http('503')]: '0+12x60' },
      // A lock that ends every write of one user a minute, who reads as often.
      { [http('200')]: '0+1x60', [http('503')]: '0x10 0+1x50' },
    ],
    silent: [
      { [http('200')]: '0+600x60', [http('503')]: '0+3x60' },
      { [http('200')]: '0+1x60', [http('503')]: '0x20 2x40' },
      // One request in thirty seconds, two of them failed.
      { [http('200')]: '0+2x60', [http('503')]: '0x10 1x4 2x46' },
      { [http('200')]: '0+600x60', [http('404')]: '0+600x60' },
    ],
  },
  GrpcErrorRate: {
    fires: [
      { [grpc('0')]: '0+600x60', [grpc('14')]: '0+12x60' },
      { [grpc('0')]: '0+1x60', [grpc('14')]: '0x10 0+1x50' },
    ],
    silent: [
      { [grpc('0')]: '0+600x60', [grpc('7')]: '0+600x60' },
      { [grpc('0')]: '0+2x60', [grpc('14')]: '0x10 1x50' },
    ],
  },
  HttpSlow: {
    fires: [slow('docstore-api', 'http_request_duration_seconds', { route: '/v1/file', code: '200' }, '2.5')],
    silent: [
      slow('docstore-api', 'http_request_duration_seconds', { route: '/v1/file', code: '200' }, '0.05'),
      slow(
        'investigation-api',
        'http_request_duration_seconds',
        { route: '/api/analyze', code: '200' },
        '30',
      ),
    ],
  },
  ChecksSlow: {
    fires: [slow('authz-grpc', 'grpc_request_duration_seconds', check, '0.5')],
    silent: [slow('authz-grpc', 'grpc_request_duration_seconds', check, '0.01')],
  },
  EventLoopLag: {
    fires: [{ [own('docstore-api', 'nodejs_eventloop_lag_p99_seconds')]: constant(0.4) }],
    silent: [{ [own('docstore-api', 'nodejs_eventloop_lag_p99_seconds')]: '0.02x20 0.4x2 0.02x30' }],
  },
  DatabasePoolExhausted: {
    fires: [{ [own('docstore-api', 'database_pool_waiting')]: constant(3) }],
    silent: [{ [own('docstore-api', 'database_pool_waiting')]: '0x20 3x1 0x30' }],
  },
  DependencyDown: {
    fires: [
      { [own('authz-grpc', 'dependency_up', { name: 'database' })]: '1x10 0x50' },
      { [own('docstore-api', 'dependency_up', { name: 'authz-grpc' })]: constant(0) },
      { [own('investigation-api', 'dependency_up', { name: 'queue' })]: constant(0) },
    ],
    silent: [
      { [own('authz-grpc', 'dependency_up', { name: 'database' })]: constant(1) },
      { [own('docstore-api', 'dependency_up', { name: 'redis' })]: constant(0) },
    ],
  },
  GateAway: {
    fires: [{ [own('authz-grpc', 'authz_gate_away')]: constant(1) }],
    silent: [{ [own('authz-grpc', 'authz_gate_away')]: constant(0) }],
  },
  CertificateEnds: {
    fires: [{ [own('authz-grpc', 'authz_tls_certificate_not_after_seconds')]: constant(250_000) }],
    silent: [
      { [own('authz-grpc', 'authz_tls_certificate_not_after_seconds')]: constant(1_000_000) },
      // Without TLS.
      { [own('authz-grpc', 'authz_tls_certificate_not_after_seconds')]: constant(0) },
    ],
  },
  AuditQueueGrows: {
    fires: [{ [own('authz-grpc', 'authz_audit_queue_rows')]: constant(20_000) }],
    silent: [{ [own('authz-grpc', 'authz_audit_queue_rows')]: constant(500) }],
  },
  AuditHolds: {
    fires: [{ [own('authz-grpc', 'authz_audit_held_total')]: '0+1x60' }],
    silent: [{ [own('authz-grpc', 'authz_audit_held_total')]: constant(7) }],
  },
  AuditRowsLost: {
    fires: [{ [own('authz-grpc', 'authz_audit_rows_lost_total')]: '0x20 5x40' }],
    silent: [{ [own('authz-grpc', 'authz_audit_rows_lost_total')]: constant(5) }],
  },
  QuotaRefusals: {
    fires: [{ [own('authz-grpc', 'authz_quota_refusals_total', { plane: 'data_plane' })]: '0+120x60' }],
    silent: [{ [own('authz-grpc', 'authz_quota_refusals_total', { plane: 'data_plane' })]: '0+6x60' }],
  },
  AuthzUnreachable: {
    fires: [
      { [own('docstore-api', 'authz_call_duration_seconds_count', { outcome: 'unavailable' })]: '0+30x60' },
    ],
    silent: [{ [own('docstore-api', 'authz_call_duration_seconds_count', { outcome: 'ok' })]: '0+30x60' }],
  },
  AnalysesQueue: {
    fires: [
      {
        [own('investigation-api', 'investigation_analyses_waiting')]: constant(4),
        [own('investigation-api', 'investigation_workers_busy')]: constant(2),
        [own('investigation-api', 'investigation_workers')]: constant(2),
      },
    ],
    silent: [
      {
        [own('investigation-api', 'investigation_analyses_waiting')]: constant(0),
        [own('investigation-api', 'investigation_workers_busy')]: constant(2),
        [own('investigation-api', 'investigation_workers')]: constant(2),
      },
    ],
  },
  ToolErrorRate: {
    fires: [
      { [tool('ok')]: '0+600x60', [tool('unavailable')]: '0+12x60' },
      { [tool('ok')]: '0+1x60', [tool('unavailable')]: '0x10 0+1x50' },
    ],
    silent: [
      { [tool('ok')]: '0+600x60', [tool('not_found')]: '0+600x60' },
      { [tool('ok')]: '0+2x60', [tool('internal')]: '0x10 1x50' },
    ],
  },
  WebhooksDelayed: {
    fires: [{ [own('investigation-api', 'investigation_watch_oldest_undelivered_seconds')]: '3500+60x60' }],
    silent: [
      // Tried again half an hour later, and taken.
      { [own('investigation-api', 'investigation_watch_oldest_undelivered_seconds')]: '0+60x30 0x30' },
    ],
  },
  WebhooksParked: {
    fires: [
      { [delivery('parked')]: '0x20 2x40' },
      // The first of a replica: its series begins with it.
      { [delivery('delivered')]: '0+5x60', [delivery('parked')]: '_x20 1x40' },
    ],
    silent: [{ [delivery('failed')]: '0+5x60', [delivery('delivered')]: '0+5x60' }],
  },
  RatesCountedAlone: {
    fires: [{ [own('docstore-api', 'docstore_redis_away')]: constant(1) }],
    silent: [{ [own('docstore-api', 'docstore_redis_away')]: constant(0) }],
  },
  LargeBodiesRefused: {
    fires: [{ [own('docstore-api', 'docstore_body_slots_refused_total')]: '0x20 2x40' }],
    silent: [{ [own('docstore-api', 'docstore_body_slots_refused_total')]: constant(2) }],
  },
  SearchesQueue: {
    fires: [{ [own('docstore-api', 'docstore_heavy_tasks_waiting')]: constant(20) }],
    silent: [{ [own('docstore-api', 'docstore_heavy_tasks_waiting')]: constant(2) }],
  },
};

const folder = mkdtempSync(join(tmpdir(), 'alerts-'));

/** The rules as the chart installs them under the Operator, into the namespace `apps`. */
async function renderRules(values: object = {}): Promise<Group[]> {
  const file = join(folder, 'values.yaml');
  writeFileSync(file, stringify({ prometheusRule: { enabled: true }, ...MONITORED, ...values }));
  const { objects } = await renderChart([file]);
  return objects.find(({ kind }) => kind === 'PrometheusRule')!.spec.groups;
}
const MONITORED = Object.fromEntries(ALL.map((app) => [app, { serviceMonitor: { enabled: true } }]));
/** The same series in the namespace of another release. */
const elsewhere = (input: Series): Series =>
  Object.fromEntries(
    Object.entries(input)
      .filter(([name]) => name.includes('namespace="apps"'))
      .map(([name, values]) => [name.replace('namespace="apps"', 'namespace="staging"'), values]),
  );
afterAll(() => rmSync(folder, { recursive: true }));

describe('alert rules', () => {
  covers('PLAT-O.1');
  it('promtool accepts the alert rules', async () => {
    const { stdout } = await run(await findPromtool(), ['check', 'rules', RULES]);
    expect(stdout).toContain(`SUCCESS: ${alerts.length} rules found`);
  });

  it('each alert has a case here in which it fires and one in which it stays silent', () => {
    expect(Object.keys(CASES).sort()).toEqual([...names].sort());
    for (const { fires, silent } of Object.values(CASES))
      expect(Math.min(fires.length, silent.length)).toBeGreaterThan(0);
  });

  it.each(names)('%s fires when it should and stays silent otherwise', async (alert) => {
    await expectAlert(alert, CASES[alert]!);
  });

  it('each alert fires although another release under the same Prometheus is well', async () => {
    covers('PLAT-O.30');
    const rendered = await renderRules();
    for (const [alert, { fires, silent }] of Object.entries(CASES)) {
      // Whether kube-state-metrics is there is a question about the whole cluster.
      if (alert === 'ClusterMetricsAbsent') continue;
      const beside = fires.map((input) => ({ ...elsewhere(silent[0]!), ...input }));
      await expectAlert(alert, { fires: beside, silent: [] }, rendered);
    }
  });

  it('a service that the release does without is not missed, and the others are', async () => {
    covers('PLAT-O.30');
    const rendered = await renderRules({
      global: { docstoreUrl: 'none' },
      'docstore-api': { enabled: false },
    });
    const [authz, investigation] = [ready('authz-grpc'), ready('investigation-api')];
    await expectAlert(
      'ServiceAbsent',
      {
        fires: [{ [authz]: constant(1) }],
        silent: [{ [authz]: constant(1), [investigation]: constant(1) }],
      },
      rendered,
    );
  });

  it('the alert for missing kube-state-metrics names every alert that then stays silent', () => {
    covers('PLAT-O.27');
    const blind = alerts.filter(
      ({ alert, expr }) => /\bkube_/.test(expr) && alert !== 'ClusterMetricsAbsent',
    );
    const { description } = alerts.find(({ alert }) => alert === 'ClusterMetricsAbsent')!.annotations;
    expect(description.match(/\b(?:[A-Z][a-z]+){2,}\b/g)).toEqual(blind.map(({ alert }) => alert));
    const readme = readFileSync(join(CHART, '../../README.md'), 'utf8');
    expect(blind.filter(({ alert }) => !readme.includes(`\`${alert}\``))).toEqual([]);
  });

  it('the runbooks say for every severity who is to act, and when', () => {
    const [legend] = readFileSync(join(CHART, '../../../docs/runbooks.md'), 'utf8').split('\n## ');
    for (const severity of new Set(alerts.map(({ labels }) => labels.severity)))
      expect(legend).toContain(`\`${severity}\``);
  });

  it.each(['docs/runbooks.md', 'deploy/README.md'])('the settings that %s names exist', (file) => {
    const page = readFileSync(join(CHART, '../../..', file), 'utf8');
    const known = new Set(
      ['authz-grpc', 'investigation-api', 'docstore-api'].flatMap((app) => [...settingsOf(app).keys()]),
    );
    const named = page.match(/\b(?:AUTHZ|INVESTIGATION|DOCSTORE)_[A-Z_]+\b/g)!;
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('each alert leads to a section of the runbook that says what users notice, where to look first, what to do and when it is over', () => {
    const page = readFileSync(join(CHART, '../../../docs/runbooks.md'), 'utf8');
    const sections = new Map(
      page
        .split(/^## /m)
        .slice(1)
        .map((section) => [section.slice(0, section.indexOf('\n')), section]),
    );
    for (const { alert, annotations } of alerts) {
      expect(annotations.runbook_url).toBe(`docs/runbooks.md#${alert.toLowerCase()}`);
      const section = sections.get(alert) ?? '';
      for (const part of ['**Users notice**', '**Look at**', '**Do**', '**Over when**'])
        expect([alert, section]).toEqual([alert, expect.stringContaining(part)]);
    }
    const firstLooks = alerts.filter(({ alert }) =>
      /\*\*Look at\*\*(?:(?!\*\*Do\*\*)[^])*?(?:`[^`]+`|\]\(#)/.test(sections.get(alert)!),
    );
    expect(firstLooks).toEqual(alerts);
    const headings = [...sections.keys()].filter((heading) => /^([A-Z][a-z]+)+$/.test(heading));
    expect(headings.filter((heading) => !names.includes(heading))).toEqual([]);
  });

  it('the runbooks say for every plane that QuotaRefusals can name what it is', () => {
    covers('PLAT-O.1');
    const planes = readFileSync(join(CHART, '../../../apps/authz-grpc/src/model/quota.ts'), 'utf8').match(
      /(?<=')\w+_plane(?=')/g,
    )!;
    const page = readFileSync(join(CHART, '../../../docs/runbooks.md'), 'utf8');
    const section = /^## QuotaRefusals\n[^]*?(?=^## )/m.exec(page)![0];
    expect(planes.length).toBeGreaterThan(2);
    expect(planes.filter((plane) => !section.includes(`\`${plane}\``))).toEqual([]);
  });
});
