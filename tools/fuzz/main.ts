/**
 * `npm run test:fuzz [-- --only=MCP] [--part=1/4] [--mib=16]`: the largest allowed and the smallest refused
 * value of every field of every operation of the three built services, by their published schemas (OpenAPI,
 * MCP tools, proto), and what each does to the event loop, to a calm tenant and to the size of responses.
 * `--only` runs the operations whose surface and name have these letters, `--part=1/4` the first of four
 * parts of them, `--mib` bounds what a field without a limit is filled with. Exit code 1 when a promise is
 * broken.
 */
import { runFuzz, type SurfaceReport } from '@platform/e2e/fuzz';
import { readOptions } from '../command-line.ts';

const values = readOptions(import.meta.filename, {
  only: { type: 'string', default: '' },
  part: { type: 'string', default: '1/1' },
  mib: { type: 'string', default: '16' },
});

function row({ surface, operations, fields, cases, held, calm, receivedMax, broken }: SurfaceReport): string {
  const cells = [
    surface,
    operations,
    fields,
    cases,
    `${held.p99.toFixed(0)} / ${held.max.toFixed(0)} ms`,
    `${calm.quietMs.toFixed(0)} / ${calm.worstMs.toFixed(0)} ms`,
    `${Math.ceil(receivedMax / 1024)} KiB`,
    broken.length,
  ];
  return `| ${cells.join(' | ')} |`;
}

const [number = 1, of = 1] = values.part.split('/').map(Number);
const reports = await runFuzz({
  only: values.only,
  part: { number, of },
  bytesMax: Number(values.mib) * 1024 * 1024,
  tell: (line) => console.log(line),
});
const broken = reports.flatMap((report) => report.broken);
const text = [
  [
    '| surface | operations | fields | cases | event loop held, p99 / longest | calm tenant, quiet / worst median | largest response | broken |',
    '| --- | --- | --- | --- | --- | --- | --- | --- |',
    ...reports.map(row),
  ].join('\n'),
  broken.length === 0
    ? 'No case broke a promise.'
    : broken
        .map(
          ({ surface, operation, field, what, why }) =>
            `- ${surface}, \`${operation}\`, \`${field}\`, ${what}: ${why.join('; ')}`,
        )
        .join('\n'),
].join('\n\n');
console.log(`\n${text}`);
process.exitCode = broken.length > 0 ? 1 : 0;
