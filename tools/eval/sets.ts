import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { DataSet } from './data-set.ts';
import { clockTime, readFlights } from './flights-evaluation.ts';
import { SYNTHETIC } from './synthetic.ts';

const FOLDER = join(import.meta.dirname, 'data');

/** The order of the tables; other sets follow by name. */
const ORDER = [
  'flights',
  'books',
  'birthplaces',
  'bluebird',
  'rte',
  'sentiment',
  'dog',
  'weather_amt',
  'sp_amt',
  'population',
];

/** Public sets whose publishers state no license, so that the repository does not hold them. */
const ELSEWHERE = ['birthplaces', 'population'];

/**
 * The public sets of the repository, and those of `folder` that it does not hold: each `*.json` or
 * `*.json.gz` there that is one `DataSet`. `missing` names the known sets that are in neither.
 */
export function readSets(folder: string | null): { sets: DataSet[]; missing: string[] } {
  const sets = [readFlightsSet(), ...readFolder(FOLDER)];
  if (folder !== null) {
    if (!existsSync(folder)) throw new Error(`--data names the folder ${folder}, which does not exist`);
    const known = new Set(sets.map(({ name }) => name));
    sets.push(...readFolder(folder).filter(({ name }) => !known.has(name)));
  }
  const place = ({ name }: DataSet) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  sets.sort((a, b) => place(a) - place(b) || (a.name < b.name ? -1 : 1));
  return { sets, missing: ELSEWHERE.filter((name) => !sets.some((set) => set.name === name)) };
}

/** The sets that are made up here: see `synthetic.ts`. */
export function syntheticSets(): DataSet[] {
  return Object.values(SYNTHETIC).map((make) => make(1));
}

function readFolder(folder: string): DataSet[] {
  return readdirSync(folder)
    .filter((file) => /\.json(\.gz)?$/.test(file) && file !== 'flights.json')
    .map((file) => {
      const bytes = readFileSync(join(folder, file));
      const set = JSON.parse((file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()) as DataSet;
      if (!Array.isArray(set.claims) || !set.gold) throw new Error(`${join(folder, file)} is no data set`);
      return set;
    });
}

/** Flights as one set: an item is an attribute of a flight, a value the clock time in the cell. */
function readFlightsSet(): DataSet {
  const flights = readFlights();
  const sourceOf = new Map(flights.sources.map((source, index) => [source, index]));
  const itemOf = new Map<string, number>();
  const gold: Record<string, string> = {};
  const said = new Set<string>();
  const claims: [number, number, string][] = [];
  for (const { source, object, attribute, value } of flights.claims) {
    const key = `${object} | ${attribute}`;
    const item = itemOf.get(key) ?? itemOf.size;
    itemOf.set(key, item);
    gold[item] = flights.truth[object]![attribute]!;
    if (said.has(`${source} ${item}`)) continue;
    said.add(`${source} ${item}`);
    claims.push([sourceOf.get(source)!, item, clockTime(value)]);
  }
  return { name: 'flights', kind: 'open', sources: flights.sources, items: [...itemOf.keys()], claims, gold };
}
