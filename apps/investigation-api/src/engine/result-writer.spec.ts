import { describe, expect, it } from '@jest/globals';
import { analyzeAgain } from '@platform/opinion-fusion';
import type { InvestigationInput, InvestigationResult, Judgement } from '@platform/opinion-fusion';
import { unpackJsonSync } from '../wire/packed-json.ts';
import { ResultWriter } from './result-writer.ts';

const NOW = new Date('2026-01-01T00:00:00Z');

function table(questions: number, edited: Readonly<Record<string, string>> = {}): InvestigationInput {
  const sources = ['a', 'b', 'c', 'd'];
  const claims = Array.from({ length: questions }, (_, i) =>
    sources.map((source, k) => ({
      id: `${source}${i}`,
      actor_id: source,
      subject_id: `s${i}`,
      predicate: 'is',
      value: edited[`${source}${i}`] ?? (k < 3 ? 'wahr · 🙂' : 'no'),
      content: 'as said',
    })),
  ).flat();
  return {
    research_question: 'What is so?',
    actors: sources.map((id) => ({ id, name: id, source_type: 'Journalist' })),
    subjects: Array.from({ length: questions }, (_, i) => ({ id: `s${i}`, name: 'S', subject_type: 'x' })),
    claims,
  };
}

function session() {
  const writer = new ResultWriter();
  let judgement: Judgement | null = null;
  return (input: InvestigationInput) => {
    const again = analyzeAgain(input, { now: NOW }, judgement);
    judgement = again.judgement;
    const result = again.result as InvestigationResult;
    return { result, written: writer.write(result) };
  };
}

describe('the writer of results', () => {
  it('results written one after the other have the bytes of JSON.stringify, sent and kept', () => {
    const judge = session();
    const inputs = [
      table(0),
      table(150),
      table(150, { a7: 'red' }),
      table(150, { a7: 'red', d149: 'blue', b0: 'green' }),
      table(149, { a7: 'red' }),
      table(1),
      table(150),
    ];
    for (const input of inputs) {
      const { result, written } = judge(input);
      const expected = JSON.stringify(result);
      expect(Buffer.from(written.json()).toString()).toBe(expected);
      expect(Buffer.from(unpackJsonSync(written.packed)).toString()).toBe(expected);
      expect(written.length).toBe(Buffer.byteLength(expected));
    }
  });

  it('what a result shares with the one before is not written again', () => {
    const judge = session();
    judge(table(150));
    const { result } = judge(table(150, { a149: 'red' }));
    let written = 0;
    const counted = { ...result, conflict_analysis: [...result.conflict_analysis] };
    for (const entry of counted.conflict_analysis)
      Object.defineProperty(entry, 'toJSON', {
        value: () => ((written += 1), { ...entry }),
        configurable: true,
      });
    const writer = new ResultWriter();
    writer.write(counted);
    const first = written;
    written = 0;
    writer.write({ ...counted, conflict_analysis: [...counted.conflict_analysis] });
    // The first entries are a sample of how long one is.
    expect(first).toBeGreaterThanOrEqual(150);
    expect(written).toBe(16);
  });
});
