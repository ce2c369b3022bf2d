import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { readFile } from './files.ts';
import { IMPORT_FORMATS } from './formats.ts';
import { UnreadableFile } from './imported.ts';
import { ANNOTATION, ENTITY } from './other-tools.fixture.ts';
import { readHypothesis } from './read-hypothesis.ts';
import { readWikidata } from './read-wikidata.ts';

const bytes = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe('an empty file', () => {
  it.each(IMPORT_FORMATS.filter((format) => format !== 'xlsx'))(
    'an empty %s file is said to be empty',
    (format) => {
      covers('INV-IMPORT.1');
      expect(() => readFile(format, new Uint8Array())).toThrow('the file is empty');
    },
  );
});

describe('annotations of Hypothesis', () => {
  it('a highlighted passage becomes a claim with its quote, and the comment evidence on it', () => {
    covers('INV-IMPORT.8');
    const reply = { ...ANNOTATION, references: ['a1'] };
    const note = { ...ANNOTATION, target: [{ source: 'https://example.org/minutes' }] };
    const against = { ...ANNOTATION, id: 'a2', text: 'It was shut in May.', tags: ['refutes'] };
    const { payload, leftOut } = readHypothesis(
      bytes({ total: 4, rows: [ANNOTATION, reply, note, against] }),
    );
    expect(payload.claims).toEqual([
      expect.objectContaining({ quote: 'the bridge is open', url: 'https://example.org/minutes' }),
    ]);
    expect(payload.actors).toEqual([expect.objectContaining({ name: 'Town minutes' })]);
    expect(
      payload.evidence?.map(({ content, valence, published_by }) => [content, valence, published_by]),
    ).toEqual([
      ['The minutes of 1731 say the same.', 'Supports', 'ann'],
      ['It was shut in May.', 'Refutes', 'ann'],
    ]);
    expect(leftOut.map(({ path }) => path)).toEqual(['rows[1]', 'rows[2]']);
  });

  it('a file without annotations is refused by name', () => {
    covers('INV-IMPORT.1');
    expect(() => readHypothesis(bytes({ rows: [] }))).toThrow(UnreadableFile);
    expect(() => readHypothesis(bytes({ rows: [{ target: [] }] }))).toThrow('highlights no words');
  });
});

describe('entities of Wikidata', () => {
  it('statements become claims by their references, with rank, time and scope', () => {
    covers('INV-IMPORT.9');
    const { payload, leftOut } = readWikidata(bytes(ENTITY));
    const actors = new Map(payload.actors.map(({ id, name }) => [id, name]));
    expect(
      payload.claims.map(({ actor_id, predicate, value, epistemic_status, assertion_time, url }) => [
        actors.get(actor_id),
        predicate,
        value,
        epistemic_status,
        assertion_time,
        url,
      ]),
    ).toEqual([
      ['Stadtchronik', 'P571', '1731', 'theory', '2001-02-03', undefined],
      ['archive.example.org', 'P571', '1731', 'theory', undefined, 'https://archive.example.org/b'],
      ['Wikidata, without reference', 'P571', '1850', 'retracted', undefined, undefined],
      ['Wikidata, without reference', 'P2043', '120.5 Q11573', undefined, undefined, undefined],
    ]);
    expect(payload.claims[3]).toMatchObject({ event_start_time: '1900-05', scope: 'P518: main span' });
    expect(leftOut).toEqual([
      { path: 'Q1.claims.P571[2]', reason: 'has no known value' },
      { path: 'Q1.claims.P214[0]', reason: 'is an identifier in another catalog' },
    ]);
  });

  it('a file without entities is refused by name', () => {
    covers('INV-IMPORT.1');
    expect(() => readWikidata(bytes({ entities: {} }))).toThrow('holds no Wikidata entity');
  });
});
