import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCertificateAuthority, type CertificateAuthority } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { eventually } from '@platform/testing/eventually';
import pg from 'pg';
import { expectAlert, groups, type Series } from '../deploy/alerts.fixture.ts';
import { readExpression } from './expression.ts';
import {
  createOwner,
  startPlatform,
  startService,
  stopServices,
  type Owner,
  type Platform,
  type ServiceName,
} from './platform.fixture.ts';

let authority: CertificateAuthority;
let receiver: Server;
let database: pg.Pool;
let platform: Platform;
let owner: Owner;

beforeAll(async () => {
  authority = await createCertificateAuthority('private authority');
  receiver = createServer((_req, res) => res.writeHead(500).end());
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  platform = await startPlatform((name, url): Record<string, string> => {
    if (name === 'docstore-api') return { DOCSTORE_REQUESTS_PER_MINUTE: '100000' };
    if (name !== 'investigation-api') return {};
    database = new pg.Pool({ connectionString: url, max: 1 });
    // The next attempt is days away.
    return { INVESTIGATION_WEBHOOK_HOSTS: '127.0.0.1', INVESTIGATION_WEBHOOK_RETRY_SECONDS: '86400,86400' };
  });
  owner = await createOwner(platform.authz, 'a user password for tests 2846');
});
afterAll(async () => {
  // A connection that is open when the server ends is an error of its pool.
  await database?.end();
  await stopServices();
  receiver?.close();
  authority?.remove();
});

async function post<Json>(url: string, body: unknown = {}, headers: object = {}, method = 'POST') {
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  return { status: response.status, json: (await response.json().catch(() => null)) as Json };
}

/** What a service exposes of the metrics that a rule reads: by series, as Prometheus would keep them. */
function seriesOf(alert: string, text: string): Record<string, number> {
  const { expr } = groups.flatMap(({ rules }) => rules).find((rule) => rule.alert === alert)!;
  const read = new Set(readExpression(expr).selectors.map(({ metric }) => metric));
  const samples = [...text.matchAll(/^(\w+)\{(.*)\} (\S+)$/gm)].filter(([, metric]) => read.has(metric!));
  return Object.fromEntries(
    samples.map(([, metric, labels, value]) => [
      `${metric}{${labels},namespace="apps",instance="10.0.0.1:9080"}`,
      Number(value),
    ]),
  );
}
const scrape = async (alert: string, name: ServiceName) => seriesOf(alert, await platform.metrics(name));
/** Values that stay as they are for an hour. */
const forAnHour = (values: Record<string, number>): Series =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, `${value}x60`]));
const firstOf = (values: Record<string, number>) => Object.values(values)[0];

describe('alerts over what the services expose', () => {
  covers('PLAT-O.1');
  it('SearchesQueue fires when one key sends merges faster than a replica does them', async () => {
    const quiet = await scrape('SearchesQueue', 'docstore-api');
    const lines = Array.from({ length: 20_000 }, (_, n) => `line ${n}`);
    // Every other line differs, so that none of them is done at once.
    const contents = lines.map((line, n) => (n % 2 === 0 ? line : `${line}!`)).join('\n');
    // A document each: merges of one document wait for each other before they are searched.
    const merges: (() => Promise<unknown>)[] = [];
    for (let n = 0; n < 24; n += 1) {
      const filename = `large-${n}`;
      const { json: file } = await post<{ id: string; etag: string }>(`${platform.docstoreUrl}/v1/file`, {
        filename,
        contents: lines.join('\n'),
      });
      const url = `${platform.docstoreUrl}/v1/file/${file.id}`;
      const theirs = { filename, contents: `first\n${contents}` };
      expect((await post(url, theirs, { 'if-match': file.etag }, 'PUT')).status).toBe(200);
      merges.push(() => post(`${url}/merge`, { base_etag: file.etag, contents }));
    }
    const merged = Promise.all(merges.map((merge) => merge()));
    let queued: Record<string, number> = {};
    await eventually(async () =>
      firstOf((queued = await scrape('SearchesQueue', 'docstore-api')))!,
    ).toBeGreaterThan(8);
    await merged;
    await expectAlert('SearchesQueue', { fires: [forAnHour(queued)], silent: [forAnHour(quiet)] });
  });

  it('WebhooksDelayed fires when a receiver has not taken an event for more than an hour', async () => {
    const sessions = `${platform.investigationUrl}/api/v1/sessions`;
    const claimOf = (value: string) => ({
      claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value, content: 'c' }],
    });
    await post(sessions, {
      session_id: 'watched',
      name: 'watched',
      payload: {
        research_question: 'q',
        actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
        subjects: [{ id: 's', name: 'S', subject_type: 't' }],
        ...claimOf('0'),
      },
    });
    await post(`${sessions}/watched/judge`);
    const { port } = receiver.address() as AddressInfo;
    const subscription = { rules: ['leading_changed'], webhook_url: `http://127.0.0.1:${port}/` };
    expect((await post(`${sessions}/watched/subscriptions`, subscription)).status).toBe(201);
    const quiet = await scrape('WebhooksDelayed', 'investigation-api');
    await post(`${sessions}/watched`, claimOf('1'), {}, 'PATCH');
    await post(`${sessions}/watched/judge`);
    // Tried, refused, and from then on an event of two hours ago.
    const age =
      "UPDATE watch_events SET at = at - interval '2 hours' WHERE delivery = 'pending' AND attempts = 1";
    await eventually(async () => (await database.query(age)).rowCount).toBe(1);
    const late = await scrape('WebhooksDelayed', 'investigation-api');
    await expectAlert('WebhooksDelayed', { fires: [forAnHour(late)], silent: [forAnHour(quiet)] });
  });

  it('CertificateEnds fires for a certificate of two days, and not for a service without TLS', async () => {
    const { cert, key } = authority.issue('authz');
    const { ports } = await startService('authz-grpc', {
      DATABASE_URL: 'pglite:memory://',
      AUTHZ_GRPC_PORT: '0',
      AUTHZ_HTTP_PORT: '0',
      AUTHZ_PROBE_PORT: '0',
      AUTHZ_TLS_CERT: cert,
      AUTHZ_TLS_KEY: key,
    });
    const text = await (await fetch(`http://127.0.0.1:${ports.probe_port}/metrics`)).text();
    // The clock of promtool begins at 0.
    const now = Date.now() / 1000;
    const ends = Object.entries(seriesOf('CertificateEnds', text)).map(([name, at]) => [name, at - now]);
    await expectAlert('CertificateEnds', {
      fires: [forAnHour(Object.fromEntries(ends))],
      silent: [forAnHour(await scrape('CertificateEnds', 'authz-grpc'))],
    });
  });
});
