/**
 * `npm run bench [-- name…] [-- --write] [-- --json]`: runs every bench/*.bench.ts whose path holds one of
 * the names, one after another, each in a process of its own so that no heap or compiled code carries over.
 * Prints a table each; `--json` prints the rows as one JSON document instead; `--write` also puts the tables
 * into docs/benchmarks.md. Exit code 1 when a benchmark fails to run or a figure misses its target.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BenchRow } from '@platform/testing';
import { globSync } from 'tinyglobby';
import { readOptionsAndNames } from '../command-line.ts';
import { replaceBetween, toMarkdown } from './rows.ts';

const PAGE = join('docs', 'benchmarks.md');
const INTRODUCTION = `# Benchmarks

\`npm run bench -- --write\` measures and writes these tables; a name, as in \`npm run bench -- opinion-fusion --write\`, renews one. Figures stand as they were measured, shortfalls included. Two measurements of a ratio come from one run, for times alone say more about the machine than about the code.
`;
const RUN_ONE = join(import.meta.dirname, 'run-one.ts');
const { values: options, positionals: names } = readOptionsAndNames(import.meta.filename, {
  write: { type: 'boolean' },
  json: { type: 'boolean' },
});
runEach();

function runEach(): void {
  const files = globSync(['{apps,libs}/**/bench/*.bench.ts'], {
    ignore: ['**/node_modules/**', '**/dist/**'],
  })
    .filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
    .sort();
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const measured: Record<string, BenchRow[]> = {};
  const broken: string[] = [];
  for (const file of files) {
    const output = join(folder, 'rows.json');
    const flags = ['--expose-gc', '--import', 'tsx'];
    const child = spawnSync(process.execPath, [...flags, RUN_ONE, file, output], {
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    if (child.status === 0 && existsSync(output)) {
      const rows = JSON.parse(readFileSync(output, 'utf8')) as BenchRow[];
      measured[file] = rows;
      if (!options.json) console.log(`\n${file}\n\n${toMarkdown(rows)}`);
      rmSync(output);
    } else broken.push(file);
  }
  rmSync(folder, { recursive: true, force: true });
  if (options.json) console.log(JSON.stringify(measured, null, 2));
  if (options.write) writePage(measured);
  for (const file of broken) console.error(`\`${file}\` did not run to its end`);
  if (files.length === 0)
    console.error(`no benchmark ${names.length > 0 ? `matches ${names.join(', ')}` : 'found'}`);
  const missed = Object.values(measured)
    .flat()
    .filter(({ pass }) => !pass);
  process.exitCode = files.length === 0 || broken.length > 0 || missed.length > 0 ? 1 : 0;
}

function writePage(measured: Record<string, BenchRow[]>): void {
  const machine = `Node ${process.versions.node}, ${availableParallelism()} cores.`;
  let page = existsSync(PAGE) ? readFileSync(PAGE, 'utf8') : INTRODUCTION;
  for (const [file, rows] of Object.entries(measured)) {
    page = replaceBetween(page, file, `## \`${file}\`\n\n${machine}\n\n${toMarkdown(rows)}`);
  }
  writeFileSync(PAGE, page);
}
