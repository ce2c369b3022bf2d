import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll } from '@jest/globals';
import { findPromtool } from '@platform/testing';
import { parse, stringify } from 'yaml';
import { CHART } from './render-chart.ts';

const run = promisify(execFile);
export const RULES = join(CHART, 'observability/alerts.yaml');

export interface Group {
  name: string;
  rules: {
    alert: string;
    expr: string;
    labels: { severity: string };
    annotations: { description: string; runbook_url: string };
  }[];
}
/** The rules as they stand in the chart. */
export const { groups } = parse(readFileSync(RULES, 'utf8')) as { groups: Group[] };

/** Values by series, a minute apart; in promtool's notation `0+5x60` begins at 0 and grows by 5, 60 times. */
export type Series = Readonly<Record<string, string>>;

/** Series under which an alert fires within the hour, and series under which it stays silent. */
export interface AlertCases {
  readonly fires: readonly Series[];
  readonly silent: readonly Series[];
}

const folder = mkdtempSync(join(tmpdir(), 'alerts-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Throws what promtool prints when the alert is silent in one of `fires` or fires in one of `silent`. */
export async function expectAlert(
  alert: string,
  { fires, silent }: AlertCases,
  from: readonly Group[] = groups,
): Promise<void> {
  const firing = `ALERTS{alertname="${alert}",alertstate="firing"}`;
  const test = (input: Series, samples: object[]) => ({
    interval: '1m',
    input_series: Object.entries(input).map(([name, values]) => ({ series: name, values })),
    // One sample says that it fired at some time of the hour; no sample, that it never did.
    promql_expr_test: [
      { expr: `count(max_over_time(${firing}[1h])) > bool 0`, eval_time: '60m', exp_samples: samples },
    ],
  });
  const file = join(folder, `${alert}.yaml`);
  const tests = [
    ...fires.map((input) => test(input, [{ labels: '{}', value: 1 }])),
    ...silent.map((input) => test(input, [])),
  ];
  // By itself: with all rules, promtool evaluates each of them every minute of each test.
  const alone = join(folder, `${alert}.rules.yaml`);
  const kept = from.map((group) => ({
    ...group,
    rules: group.rules.filter((rule) => rule.alert === alert),
  }));
  writeFileSync(alone, stringify({ groups: kept.filter(({ rules }) => rules.length > 0) }));
  writeFileSync(file, stringify({ rule_files: [alone], evaluation_interval: '1m', tests }));
  const promtool = await findPromtool();
  await run(promtool, ['test', 'rules', file]).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${error.stdout}${error.stderr}`);
  });
}
