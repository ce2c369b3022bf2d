import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { parse } from 'yaml';
import { readExposition, unknownNames, type Exposition } from './exposition.ts';
import { readExpression } from './expression.ts';
import {
  createOwner,
  startPlatform,
  stopServices,
  type Platform,
  type ServiceName,
} from './platform.fixture.ts';

interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: {
    readonly summary: string;
    readonly description: string;
    readonly runbook_url: string;
  };
}
interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly {
    readonly refId: string;
    readonly expr: string;
    readonly legendFormat: string;
  }[];
}

const read = (file: string) =>
  readFileSync(new URL(`../../deploy/helm/platform/observability/${file}`, import.meta.url), 'utf8');
const { groups } = parse(read('alerts.yaml')) as {
  groups: readonly { readonly name: string; readonly rules: readonly Rule[] }[];
};
const rules = groups.flatMap((group) => group.rules);
const { panels } = JSON.parse(read('dashboard.json')) as { panels: readonly Panel[] };
const targets = panels.flatMap((panel) =>
  (panel.targets ?? []).map((target) => [panel.title, target] as const),
);

const NAMES: readonly ServiceName[] = ['authz-grpc', 'docstore-api', 'investigation-api'];
let platform: Platform;
let services: Readonly<Record<string, Exposition>>;

beforeAll(async () => {
  platform = await startPlatform();
  // Labels are seen on samples, so that everything happens once: calls, refusals, an analysis.
  const { token } = await createOwner(platform.authz, 'a user password for tests 2846');
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const body = readFileSync(new URL('../../examples/first-flight.json', import.meta.url), 'utf8');
  await fetch(`${platform.investigationUrl}/api/v1/investigations/analyze`, {
    method: 'POST',
    headers,
    body,
  });
  await fetch(`${platform.investigationUrl}/mcp`, {
    method: 'POST',
    headers: { ...headers, accept: 'application/json, text/event-stream' },
    body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_docs","arguments":{}}}',
  });
  await fetch(`${platform.docstoreUrl}/v1/usage`, { headers });
  for (const url of [platform.investigationUrl, platform.docstoreUrl, platform.authzUrl])
    await fetch(`${url}/nowhere`);
  services = Object.fromEntries(
    await Promise.all(
      NAMES.map(async (name) => [name, readExposition(await platform.metrics(name))] as const),
    ),
  );
});
afterAll(stopServices);

describe('metrics', () => {
  it.each(NAMES)('metrics of %s follow the naming conventions and hold no names of users', async (name) => {
    const labels = new Set([...services[name]!.values()].flatMap((found) => [...found]));
    for (const personal of ['tenant', 'tenant_id', 'user', 'user_id', 'owner', 'subject', 'session_id'])
      expect(labels).not.toContain(personal);
    for (const metric of services[name]!.keys()) expect(metric).toMatch(/^[a-z][a-z0-9_]*$/);
    expect((await platform.metrics(name)).match(/^# TYPE \w+_total (?!counter).*$/gm)).toBeNull();
  });

  it.each(NAMES)('metrics of %s name the version and the source revision of its build', async (name) => {
    covers('PLAT-O.13');
    expect(await platform.metrics(name)).toMatch(
      /^build_info\{version="\d+\.\d+\.\d+",revision="\w+"(,\w+="[\w-]+")*\} 1$/m,
    );
  });

  it('docs/observability.md lists all metrics and no others', () => {
    const page = readFileSync(new URL('../../docs/observability.md', import.meta.url), 'utf8');
    const listed = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, metric]) => metric);
    const exposed = NAMES.flatMap((name) => [...services[name]!.keys()])
      .filter((metric) => !/^(process|nodejs)_/.test(metric))
      .map((metric) => metric.replace(/_(bucket|count|sum)$/, ''));
    expect([...new Set(exposed)].sort()).toEqual([...listed].sort());
  });
});

describe('alert rules', () => {
  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s reads what is exposed', (_name, rule) => {
    expect(unknownNames(readExpression(rule.expr), services)).toEqual([]);
  });

  it.each(rules.map((rule) => [rule.alert, rule] as const))('%s is complete', (_name, rule) => {
    expect(rule).toEqual({
      alert: expect.stringMatching(/^([A-Z][a-z]+)+$/),
      expr: expect.any(String),
      ...(rule.for === undefined ? {} : { for: expect.stringMatching(/^\d+[smh]$/) }),
      labels: { severity: expect.stringMatching(/^(critical|warning|info)$/) },
      annotations: {
        summary: expect.any(String),
        description: expect.any(String),
        runbook_url: expect.any(String),
      },
    });
    const { grouping } = readExpression(rule.expr);
    const shown = [
      ...Object.values(rule.annotations)
        .join(' ')
        .matchAll(/\$labels\.(\w+)/g),
    ];
    // An expression without grouping keeps every label of its series.
    if (grouping.size > 0) for (const [, label] of shown) expect(grouping).toContain(label);
  });

  it('alert rules have distinct names', () => {
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    expect(new Set(groups.map(({ name }) => name)).size).toBe(groups.length);
    expect(rules.length).toBeGreaterThan(10);
  });
});

describe('dashboard', () => {
  it.each(targets)('%s reads what is exposed: $expr', (_title, { expr, legendFormat }) => {
    const expression = readExpression(expr);
    expect(unknownNames(expression, services)).toEqual([]);
    for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
      expect(expression.grouping).toContain(label);
  });

  it('the dashboard has a row for each service, and panels that do not overlap', () => {
    const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows).toEqual(['Platform', ...NAMES]);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { gridPos, title } of panels) {
      expect([title, gridPos.x + gridPos.w <= 24]).toEqual([title, true]);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect([title, x, y, taken.has(`${x} ${y}`)]).toEqual([title, x, y, false]);
          taken.add(`${x} ${y}`);
        }
      }
    }
    expect(targets.length).toBeGreaterThan(50);
  });
});
