import { describe, expect, it } from '@jest/globals';
import {
  AIRLINE_SITES,
  clockTime,
  evaluateFlights,
  identicalSources,
  readFlights,
  toInvestigation,
} from './flights-evaluation.ts';

const flights = readFlights();

/**
 * Sites that serve the very same data and share errors. Two more such groups share little that not enough
 * others say, and are not suspected for it: `businesstravellogue`, `flights` and `flylouisville`;
 * `flightstats` and `quicktrip` (docs/decisions/0032-suspicion-is-judged-twice.md).
 */
const IDENTICAL = [
  ['airtravelcenter', 'flytecomm', 'helloflight', 'myrateplan'],
  ['allegiantair', 'flightview', 'foxbusiness', 'gofox', 'panynj'],
  ['flightaware', 'wunderground'],
];

describe('clockTime', () => {
  it.each([
    ['7:10 a.m.', '7:10 a.m.'],
    ['7:10aDec 1', '7:10 a.m.'],
    ['12/01/2011 07:10 p.m.', '7:10 p.m.'],
    ['12:00noon', '12:00 p.m.'],
    ['Not Available', 'Not Available'],
    ['Thu  19:10', 'Thu  19:10'],
  ])('clockTime reads %s as %s', (cell, time) => expect(clockTime(cell)).toBe(time));
});

describe('the flights set', () => {
  it('the flights set never shows the truth to the engine', () => {
    const given = JSON.stringify(toInvestigation({ ...flights, truth: {} }, 'detected', []));
    expect(JSON.stringify(toInvestigation(flights, 'detected', []))).toBe(given);
  });

  it('the flights set has at least 316 of 400 leading values right without copy detection', () => {
    const { right, pairs, groups } = evaluateFlights(flights, 'declared');
    expect(pairs).toBe(400);
    expect(right).toBeGreaterThanOrEqual(316);
    expect(groups).toEqual([]);
  });

  it('the flights set has at least 375 right with copy detection, names the identical sites that share errors and accuses no airline', () => {
    const { right, groups } = evaluateFlights(flights, 'detected');
    expect(right).toBeGreaterThanOrEqual(375);
    expect(groups.flatMap(({ actor_ids }) => identicalSources(flights, actor_ids))).toEqual(IDENTICAL);
    for (const { actor_ids } of groups) {
      for (const airline of AIRLINE_SITES) expect(actor_ids).not.toContain(airline);
    }
  });

  it('the flights set has at least 370 right without the airlines’ own sites', () => {
    expect(evaluateFlights(flights, 'detected', AIRLINE_SITES).right).toBeGreaterThanOrEqual(370);
  });
});
