/** Child of `measure`: one contestant, by its name, on all the sets it can answer; sends a `Measurement`. */
import { CONTESTANTS } from './contestants.ts';
import type { Measurement } from './measure.ts';
import { toOutcomes } from './outcomes.ts';
import type { CheckedChance } from '@platform/opinion-fusion';
import { readSets, syntheticSets } from './sets.ts';

const [name, folder] = process.argv.slice(2);
const contestant = CONTESTANTS.find((known) => known.name === name)!;
const outcomes: Record<string, CheckedChance[]> = {};
const times: Record<string, number> = {};
for (const set of [...readSets(folder ?? null).sets, ...syntheticSets()]) {
  if (!contestant.canAnswer(set)) continue;
  const start = process.cpuUsage();
  const answers = contestant.answer(set);
  const { user, system } = process.cpuUsage(start);
  times[set.name] = (user + system) / 1000;
  outcomes[set.name] = toOutcomes(set, answers);
}
const memory = process.resourceUsage().maxRSS / 1024;
process.send!({ outcomes, times, memory } satisfies Measurement, () => process.disconnect());
