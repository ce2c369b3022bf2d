/**
 * `npm run eval:truth [-- --data <folder>] [-- --print]`: judges all data sets with the engine and with the
 * known methods, and writes the figures into docs/accuracy.md and the reliability diagrams into docs/images.
 * `--data` adds the sets of a folder, one JSON file each in the format of `data-set.ts`; `--print` only
 * prints the figures.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import { readOptions } from '../command-line.ts';
import { replaceBetween } from '../bench/rows.ts';
import { runAttacks } from './attacks.ts';
import { CONTESTANTS, ESTIMATED } from './contestants.ts';
import { checkIntervals } from './intervals.ts';
import { measure } from './measure.ts';
import type { Measurement } from './measure.ts';
import { bins, score } from '@platform/opinion-fusion';
import { nullTest } from './null-test.ts';
import { reliabilityDiagram } from './reliability-diagram.ts';
import { report } from './report.ts';
import { readSets, syntheticSets } from './sets.ts';

const SEEDS = [1, 2, 3];
const PANELS = [
  'engine, expected_probability',
  'engine',
  ESTIMATED,
  'majority vote',
  'CRH',
  'one-coin empirical Bayes',
];
const root = join(import.meta.dirname, '../..');

const values = readOptions(import.meta.filename, { data: { type: 'string' }, print: { type: 'boolean' } });
const folder = values.data ?? null;
const { sets, missing } = readSets(folder);
for (const name of missing) console.error(`${name}: not given, skipped`);

const measured = new Map<string, Measurement>();
for (const { name } of CONTESTANTS) {
  console.error(`${name} …`);
  measured.set(name, await measure(name, folder));
}
console.error('null test …');
const suspicions = sets.filter(({ kind }) => kind !== 'numeric').map((set) => nullTest(set, SEEDS));
console.error('attacks …');
const figures = report({
  sets,
  missing,
  synthetic: syntheticSets(),
  measured,
  suspicions,
  attacks: runAttacks(),
  intervals: [...sets, ...syntheticSets()].filter(({ kind }) => kind === 'numeric').map(checkIntervals),
});

if (values.print) console.log(figures);
else {
  const page = join(root, 'docs/accuracy.md');
  const written = replaceBetween(readFileSync(page, 'utf8'), 'figures', figures);
  writeFileSync(page, await format(written, { parser: 'markdown' }));
  writeFileSync(join(root, 'docs/images/reliability.svg'), diagrams());
  console.error(`written to ${page}`);
}

/** Panels over the items of all sets but the numeric ones. */
function diagrams(): string {
  return reliabilityDiagram(
    PANELS.map((name) => {
      const of = measured.get(name)!;
      const outcomes = sets
        .filter(({ kind }) => kind !== 'numeric')
        .flatMap((set) => of.outcomes[set.name] ?? []);
      return { title: name, bins: bins(outcomes), calibrationError: score(outcomes).calibrationError! };
    }),
  );
}
