import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { unpackJsonSync } from '../wire/packed-json.ts';
import { presentationFields } from '../wire/presentation.ts';
import { createAnalysisPool } from './analysis-pool.ts';
import type { AnalysisPool } from './analysis-pool.ts';
import { bundleWorker } from './bundle-worker.fixture.ts';

/** Enough claims for the worker to keep what it found; `edited` is what one of them says. */
function payload(edited: string): string {
  const actors = Array.from({ length: 20 }, (_, i) => ({
    id: `a${i}`,
    name: `A${i}`,
    source_type: 'Journalist',
  }));
  const subjects = Array.from({ length: 60 }, (_, i) => ({
    id: `s${i}`,
    name: `S${i}`,
    subject_type: 'thing',
  }));
  const claims = Array.from({ length: 600 }, (_, i) => ({
    id: `c${i}`,
    actor_id: `a${i % 20}`,
    subject_id: `s${i % 60}`,
    predicate: 'colour',
    value: i === 7 ? edited : ['red', 'green', 'blue'][(i * 7) % 3],
    content: 'as said',
    ...(i % 2 === 0 && { assertion_time: '2025-03-01T00:00:00Z' }),
  }));
  return JSON.stringify({ research_question: 'Which colour?', actors, subjects, claims });
}

describe('a worker that judges a session again', () => {
  let worker: ReturnType<typeof bundleWorker>;
  let pool: AnalysisPool;
  beforeAll(() => {
    worker = bundleWorker(new URL('./analysis-worker.ts', import.meta.url));
    pool = createAnalysisPool({ threads: 1, queueMax: 4, memoryMiBMax: 512, file: worker.file });
  });
  afterAll(async () => {
    await pool.close();
    worker.remove();
  });

  const judge = async (sessionId: string, edited: string, now: string) => {
    const { kept } = await pool.judge(
      {
        sessionId,
        payload: [new TextEncoder().encode(payload(edited))],
        presentation: presentationFields(null),
        summaryMode: null,
      },
      { now: new Date(now), owner: 'tester', signal: new AbortController().signal },
    );
    return new TextDecoder().decode(unpackJsonSync(kept.result));
  };

  it('a session judged again has the bytes that a worker gives which never saw it', async () => {
    covers('RM-0.4', 'RM-11.69');
    const edits = [
      ['red', '2026-01-01T00:00:00Z'],
      ['mauve', '2026-01-01T00:00:00Z'],
      ['green', '2026-01-02T00:00:00Z'],
    ] as const;
    const again: string[] = [];
    for (const [edited, now] of edits) again.push(await judge('edited', edited, now));
    const anew: string[] = [];
    for (const [i, [edited, now]] of edits.entries()) anew.push(await judge(`new ${i}`, edited, now));
    expect(again).toEqual(anew);
    expect(again[1]).toContain('mauve');
  });
});
