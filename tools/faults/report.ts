import { availableParallelism, loadavg } from 'node:os';
import type { CitusReport, FaultReport, FaultsReport, Invariant, UpgradeReport } from '@platform/e2e/faults';

/** The same fault over all its rounds. Counts are sums, times the longest. */
export interface FaultSummary extends FaultReport {
  readonly times: number;
}

/**
 * One summary per fault, in the order in which they first happened. A service that once did not recover has
 * null.
 */
export function summarize(faults: readonly FaultReport[]): FaultSummary[] {
  const summaries = new Map<string, FaultSummary>();
  for (const fault of faults) {
    const before = summaries.get(fault.name);
    summaries.set(fault.name, before === undefined ? { ...fault, times: 1 } : joined(before, fault));
  }
  return [...summaries.values()];
}

function joined(one: FaultSummary, other: FaultReport): FaultSummary {
  const results: Record<string, Record<string, number>> = {};
  const recoveredMs: Record<string, number | null> = {};
  const slowestMs: Record<string, number> = {};
  for (const service of Object.keys(one.results) as (keyof FaultReport['results'])[]) {
    const counts = { ...one.results[service] };
    for (const [result, count] of Object.entries(other.results[service]))
      counts[result] = (counts[result] ?? 0) + count;
    results[service] = counts;
    const [before, now] = [one.recoveredMs[service], other.recoveredMs[service]];
    slowestMs[service] = Math.max(one.slowestMs[service], other.slowestMs[service]);
    recoveredMs[service] = before === null || now === null ? null : Math.max(before, now);
  }
  return {
    ...one,
    times: one.times + 1,
    heldMs: Math.max(one.heldMs, other.heldMs),
    results: results as FaultReport['results'],
    recoveredMs: recoveredMs as FaultReport['recoveredMs'],
    slowestMs: slowestMs as FaultReport['slowestMs'],
    unready: [...new Set([...one.unready, ...other.unready])],
    broken: [...one.broken, ...other.broken],
  };
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function faultRow(fault: FaultSummary): string[] {
  const { name, how, times, heldMs, results, recoveredMs, slowestMs, unready } = fault;
  const cells = Object.entries(results).map(([service, counts]) => {
    const recovered = recoveredMs[service as keyof typeof recoveredMs];
    const slowest = slowestMs[service as keyof typeof slowestMs];
    const ended = Object.entries(counts)
      .sort(([a], [b]) => Number(b === 'ok') - Number(a === 'ok'))
      .map(([result, count]) => `${count} ${result}`)
      .join(', ');
    const good = recovered === null ? '**never**' : `within ${(recovered / 1000).toFixed(1)} s`;
    const ready = (unready as readonly string[]).includes(service) ? '; not ready meanwhile' : '';
    return `${ended}; slowest ${(slowest / 1000).toFixed(1)} s${ready}; good again ${good}`;
  });
  return [`${name} (${how})`, `${times} ×, up to ${(heldMs / 1000).toFixed(1)} s`, ...cells];
}

const promises = (invariants: readonly Invariant[]) =>
  table(
    ['promise', 'compared', 'broken'],
    invariants.map(({ promise, compared, broken }) => [
      promise,
      String(compared),
      broken.length === 0 ? '0' : `**${broken.length}**: ${broken.slice(0, 3).join('; ')}`,
    ]),
  );

/** What the figures of a run were measured on. */
const measuredOn = (seconds: number, requests: number) =>
  `${seconds.toFixed(0)} s, ${requests} requests, ${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)}, Node ${process.versions.node}`;

/** The figures of a run over distributed tables as docs/reliability.md shows them. */
export function citusToMarkdown({ seconds, hasPassed, invariants, rates }: CitusReport): string {
  return [
    `${seconds.toFixed(0)} s each, ${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)}, Node ${process.versions.node}. Suites: ${hasPassed ? 'all passed' : '**failed**'}.`,
    promises(invariants),
    table(
      ['requests a second', 'one Postgres', 'three nodes'],
      Object.entries(rates).map(([service, { one, three }]) => [service, one.toFixed(1), three.toFixed(1)]),
    ),
  ].join('\n\n');
}

/** The figures of a rolling upgrade as docs/reliability.md shows them. */
export function upgradeToMarkdown({ from, seconds, requests, steps, invariants }: UpgradeReport): string {
  const services = Object.keys(steps[0]!.results) as (keyof UpgradeReport['steps'][number]['results'])[];
  const counts = (results: Readonly<Record<string, number>>) =>
    Object.entries(results)
      .map(([result, count]) => `${count} ${result}`)
      .join(', ');
  return [
    `N-1 is ${from}. ${measuredOn(seconds, requests)}.`,
    promises(invariants),
    table(
      ['step', 'lasted', ...services],
      steps.map(({ name, ms, results }) => [
        name,
        `${(ms / 1000).toFixed(1)} s`,
        ...services.map((service) => counts(results[service])),
      ]),
    ),
  ].join('\n\n');
}

/** The figures of a run as docs/reliability.md shows them. */
export function toMarkdown(report: FaultsReport): string {
  const { seconds, requests, failedInCalm, faults, crashes, invariants } = report;
  const broken = faults.flatMap((fault) => fault.broken.map((what) => `${fault.name}: ${what}`));
  const calm = Object.entries(failedInCalm).map(([what, count]) => `${count} × ${what}`);
  return [
    `${measuredOn(seconds, requests)}.`,
    promises(invariants),
    table(['fault', 'lasted', ...Object.keys(faults[0]!.results)], summarize(faults).map(faultRow)),
    `Not as promised during a fault and after it: ${broken.length === 0 ? 'none' : broken.join('; ')}.`,
    `Failed outside of any fault and its recovery: ${calm.length === 0 ? 'none' : calm.join(', ')}.`,
    `Services that ended unasked and were started again: ${crashes.length === 0 ? 'none' : crashes.join('; ')}.`,
  ].join('\n\n');
}
