/**
 * `npm run eval:flights`: judges contradicting statements of 38 web sites on 100 flights and prints how many
 * of the 400 leading values are true, with copy detection off and on, with and without the airlines' own
 * sites, and which sites are said to depend on each other. FLIGHTS_JSON names another copy of the set.
 */
import { readOptions } from '../command-line.ts';
import { AIRLINE_SITES, evaluateFlights, identicalSources, readFlights } from './flights-evaluation.ts';

readOptions(import.meta.filename, {});
const flights = readFlights();
console.log(
  `${flights.claims.length} claims of ${flights.sources.length} sources on ${flights.objects.length} flights`,
);

for (const [label, without] of [
  ['all sources', []],
  [`without ${AIRLINE_SITES.join(', ')}`, AIRLINE_SITES],
] as const) {
  console.log(`\n${label}`);
  const declared = evaluateFlights(flights, 'declared', without);
  console.log(`  copy detection off: ${declared.right} of ${declared.pairs} leading values are right`);
  const detected = evaluateFlights(flights, 'detected', without);
  console.log(`  copy detection on:  ${detected.right} of ${detected.pairs} leading values are right`);
  for (const { actor_ids, probability, shared_items, shared_rare_values, direction } of detected.groups) {
    const copying = direction ? `; ${direction.from} copies ${direction.to}` : '';
    console.log(`    one voice: ${actor_ids.join(', ')}`);
    console.log(
      `      probability ${probability.toFixed(4)}, ${shared_items} items shared, ${shared_rare_values} with rare values${copying}`,
    );
    for (const set of identicalSources(flights, actor_ids)) console.log(`      identical: ${set.join(', ')}`);
  }
}
