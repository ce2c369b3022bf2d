import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CHART } from './render-chart.ts';

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly fieldConfig: {
    readonly defaults: { readonly unit: string };
    readonly overrides: readonly {
      readonly matcher: { readonly id: string; readonly options: string };
      readonly properties: readonly { readonly id: string; readonly value: string }[];
    }[];
  };
  readonly targets: readonly { readonly refId: string; readonly expr: string }[];
}
const { panels, templating, links } = JSON.parse(
  readFileSync(join(CHART, 'observability/dashboard.json'), 'utf8'),
) as {
  panels: Panel[];
  templating: { list: { name: string; query: string; allValue?: string }[] };
  links: { title: string; url: string }[];
};
const charts = panels.filter(({ type }) => type !== 'row');

/** The unit of what an expression gives. */
function unitOf(expr: string): string {
  if (expr.startsWith('histogram_quantile')) return 's';
  if (/\brate\(/.test(expr)) return expr.includes('process_cpu') ? 'short' : 'reqps';
  if (expr.includes('_bytes')) return 'bytes';
  return /_seconds\b/.test(expr) ? 's' : 'short';
}

describe('the dashboard', () => {
  it('the dashboard narrows every query to the namespaces and instances that are chosen', () => {
    const names = templating.list.map(({ name }) => name);
    expect(names).toEqual(['datasource', 'logs', 'traces', 'namespace', 'instance']);
    // Outside of Kubernetes series have no namespace, which `.*` matches as well.
    for (const { allValue } of templating.list.slice(3)) expect(allValue).toBe('.*');
    for (const { title, targets } of charts) {
      for (const { expr } of targets) {
        const selectors = expr.match(/\b[a-z]+_[a-z0-9_]+(\{[^}]*\}|(?=[[)]))/g) ?? [];
        const wide = selectors.filter(
          (one) => !one.endsWith('namespace=~"$namespace",instance=~"$instance"}'),
        );
        expect([title, selectors.length > 0, wide]).toEqual([title, true, []]);
      }
    }
  });

  it('the dashboard leads to the logs, traces and runbooks of what it shows', () => {
    expect(links.map(({ title }) => title)).toEqual([
      'Warnings and errors',
      'Failed requests as traces',
      'Runbooks',
    ]);
    expect(links[2]!.url).toBe('docs/runbooks.md');
    for (const [i, source] of (['loki', 'tempo'] as const).entries()) {
      const { searchParams } = new URL(links[i]!.url, 'http://grafana');
      const { a } = JSON.parse(searchParams.get('panes')!) as {
        a: { datasource: string; queries: { expr?: string; query?: string }[] };
      };
      const variable = templating.list.find(({ name }) => a.datasource === `\${${name}}`);
      expect(variable?.query).toBe(source);
      const said = a.queries[0]!.expr ?? a.queries[0]!.query!;
      for (const app of ['authz-grpc', 'investigation-api', 'docstore-api']) expect(said).toContain(app);
    }
  });

  it('the dashboard explains every panel, and has one unit on each axis', () => {
    for (const { title, description = '', targets, fieldConfig } of charts) {
      expect([title, description.length > 20]).toEqual([title, true]);
      for (const { refId, expr } of targets) {
        const override = fieldConfig.overrides.find(({ matcher }) => matcher.options === refId);
        const property = (name: string) => override?.properties.find(({ id }) => id === name)?.value;
        const shown = property('unit') ?? fieldConfig.defaults.unit;
        expect([title, refId, shown]).toEqual([title, refId, unitOf(expr)]);
        if (override !== undefined) expect(property('custom.axisPlacement')).toBe('right');
      }
      const others = fieldConfig.overrides.map(({ properties }) => properties[0]!.value);
      expect([title, new Set(others).size < 2]).toEqual([title, true]);
    }
  });
});
