import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeFile, type Judged } from '@platform/interchange';
import { analyze, type InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import { recordKey } from '../model/written-record.ts';
import { createInterchange, type Interchange } from './interchange.ts';

const worker = bundleWorker(new URL('./interchange-worker.ts', import.meta.url));
let interchange: Interchange;
beforeAll(() => {
  interchange = createInterchange({ memoryMiBMax: 256, file: worker.file });
});
afterAll(async () => {
  await interchange.close();
  worker.remove();
});

const RECORD = { right: 100, statements: 100, base_reliability: 0.95 };
const INPUT: InvestigationInput = {
  research_question: 'q',
  actors: [{ id: 'a', name: 'A', source_type: 'Expert', base_reliability: 0.95, reliability_record: RECORD }],
  subjects: [{ id: 's', name: 'S', subject_type: 't' }],
  claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value: 'v', content: 'c' }],
};

/** What we write of an investigation whose source has a record. */
function fileOf(format: 'json' | 'aif' | 'stix' | 'misp'): Uint8Array<ArrayBuffer> {
  const result = analyze(INPUT, { now: new Date(0) });
  const json = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
  const judged = {
    session_name: 'n',
    interpretation: null,
    interpretation_updated_at: null,
    judgement: { id: 'j', judged_at: new Date(0).toISOString(), duration_ms: 1, engine_version: '1' },
    input: INPUT,
    input_sha256: '',
    result,
    result_sha256: '',
    explanations: [],
    claim_audits: [],
    quotes: null,
  } as unknown as Judged;
  const parts = { input: json(INPUT), result: json(result), documents: [], missing: [] };
  return Uint8Array.from(writeFile(format, judged, { ...parts, fonts: () => [] as never }));
}

describe('records of sources in files', () => {
  it.each(['json', 'aif', 'stix', 'misp'] as const)(
    'a record that no register of the session wrote is left out of a %s file by the name of its source, and one that it wrote is kept',
    async (format) => {
      covers('INV-O.22');
      const signal = new AbortController().signal;
      const read = async (...records: string[]) => {
        const task = { format, bytes: fileOf(format), records };
        const { payload, update, leftOut } = await interchange.read(task, { owner: 'o', signal });
        const texts = [payload, update].map((bytes) => new TextDecoder().decode(bytes));
        return { texts, leftOut: leftOut.map(({ path }) => path) };
      };
      const foreign = await read();
      for (const text of foreign.texts) expect(text).not.toContain('reliability_record');
      expect(foreign.leftOut).toContain('actors a reliability_record');
      const own = await read(recordKey('a', RECORD));
      for (const text of own.texts) expect(text).toContain('"reliability_record":{"right":100');
      expect(own.leftOut).not.toContain('actors a reliability_record');
    },
  );
});
