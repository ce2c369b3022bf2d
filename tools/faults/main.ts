/**
 * `npm run test:faults [-- --seconds=300] [--only=disk] [--disk=trigger] [--write]`: the three built services under load
 * while Postgres, Redis, the disk, the clock and the services themselves fail, and then what was acknowledged compared with
 * what is held. `--only` runs the faults whose name has these letters; `--disk=trigger` has a trigger stand for the full disk,
 * as it does anyhow where mounting is not allowed; `--write` puts the figures into docs/reliability.md. Exit code 1 when an
 * invariant is broken, a service ended unasked or did not recover.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { runFaults, type FaultReport, type FaultsReport } from '@platform/e2e/faults';
import { replaceBetween } from '../bench/rows.ts';

const PAGE = 'docs/reliability.md';
const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    only: { type: 'string', default: '' },
    disk: { type: 'string', default: 'mounted' },
    write: { type: 'boolean', default: false },
  },
});
if (values.disk !== 'mounted' && values.disk !== 'trigger') throw new Error('--disk is mounted or trigger');

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

function faultRow({ name, how, heldMs, results, recoveredMs }: FaultReport): string[] {
  const cells = Object.entries(results).map(([service, counts]) => {
    const recovered = recoveredMs[service as keyof typeof recoveredMs];
    const ended = Object.entries(counts)
      .sort(([a], [b]) => Number(b === 'ok') - Number(a === 'ok'))
      .map(([result, count]) => `${count} ${result}`)
      .join(', ');
    return `${ended}; good again ${recovered === null ? '**never**' : `after ${(recovered / 1000).toFixed(1)} s`}`;
  });
  return [`${name} (${how})`, `${(heldMs / 1000).toFixed(1)} s`, ...cells];
}

function toMarkdown({ seconds, requests, failedInCalm, faults, crashes, invariants }: FaultsReport): string {
  const calm = Object.entries(failedInCalm).map(([what, count]) => `${count} × ${what}`);
  const services = Object.keys(faults[0]!.results);
  return [
    `${seconds.toFixed(0)} s, ${requests} requests, ${availableParallelism()} cores, load average ${loadavg()[0]!.toFixed(1)}, Node ${process.versions.node}.`,
    table(
      ['promise', 'compared', 'broken'],
      invariants.map(({ promise, compared, broken }) => [
        promise,
        String(compared),
        broken.length === 0 ? '0' : `**${broken.length}**: ${broken.slice(0, 3).join('; ')}`,
      ]),
    ),
    table(['fault', 'lasted', ...services], faults.map(faultRow)),
    `Failed outside of any fault and its recovery: ${calm.length === 0 ? 'none' : calm.join(', ')}.`,
    `Services that ended unasked and were started again: ${crashes.length === 0 ? 'none' : crashes.join('; ')}.`,
  ].join('\n\n');
}

const report = await runFaults({
  seconds: Number(values.seconds),
  disk: values.disk,
  only: values.only,
  tell: (line) => console.log(line),
  random: Math.random,
});
const text = toMarkdown(report);
console.log(`\n${text}`);
if (values.write) writeFileSync(PAGE, replaceBetween(readFileSync(PAGE, 'utf8'), 'faults', text));
const isBroken = report.invariants.some(({ broken }) => broken.length > 0);
const isLost = report.faults.some(({ recoveredMs }) => Object.values(recoveredMs).includes(null));
process.exitCode = isBroken || isLost || report.crashes.length > 0 ? 1 : 0;
