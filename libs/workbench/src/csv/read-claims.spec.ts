import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { decodeText, guessMapping, importClaims, readSheet } from './read-claims.ts';

const OPTIONS = { createMissing: true, sourceType: 'Journalist', subjectType: 'topic' };
const NOTHING = { actors: [], subjects: [], claims: [] };

function imported(csv: string, present: Parameters<typeof importClaims>[2] = NOTHING, options = OPTIONS) {
  const sheet = readSheet(csv);
  return importClaims(sheet, guessMapping(sheet.columns), present, options);
}

describe('a CSV of claims', () => {
  covers('INV-B.5');
  it('is read with quoted line ends, byte order mark and any usual delimiter; rows know their line', () => {
    const sheet = readSheet('\ufeffid;value\r\n1;"a\nb;c"\r\n\r\n2;d\r\n');
    expect(sheet.columns).toEqual(['id', 'value']);
    expect(sheet.rows).toEqual([
      { line: 2, cells: ['1', 'a\nb;c'] },
      { line: 5, cells: ['2', 'd'] },
    ]);
  });

  it('says when a quotation never ends', () => {
    expect(readSheet('id,value\n1,"open').problems[0]).toMatch(/row 2: .*quote/i);
  });

  it('is mapped by headings, each field once, field names before other names', () => {
    expect(
      guessMapping(['Source', 'Actor ID', 'Topic', 'Predicate', 'answer', 'Statement', 'Date', 'x']),
    ).toEqual([null, 'actor_id', 'subject_id', 'predicate', 'value', 'content', 'assertion_time', null]);
  });

  it('finds sources and subjects by id or name, and makes what is missing once', () => {
    const present = {
      actors: [{ id: 'a1', name: 'The Herald', source_type: 'Journalist' }],
      subjects: [{ id: 's1', name: 'Whitehead', subject_type: 'person' }],
      claims: [{ id: 'c1' }],
    };
    const csv =
      'source,subject,predicate,value\nthe herald,s1,flew,true\nÉcho,Wright,flew,false\nÉcho,Wright,date,1903';
    const { actors, subjects, claims, problems } = imported(csv, present);
    expect(problems).toEqual([]);
    expect(actors).toEqual([{ id: 'echo', name: 'Écho', source_type: 'Journalist' }]);
    expect(subjects).toEqual([{ id: 'wright', name: 'Wright', subject_type: 'topic' }]);
    expect(claims.map(({ id, actor_id, content }) => [id, actor_id, content])).toEqual([
      ['c2', 'a1', 'flew: true'],
      ['c3', 'echo', 'flew: false'],
      ['c4', 'echo', 'date: 1903'],
    ]);
  });

  it('names line and field of what is wrong, and takes nothing from such a row', () => {
    const csv =
      'id,source,subject,predicate,value,date\nx,Herald,Flight,year,1903,yesterday\nx,Herald,Flight,year,1904,\ny,,Flight,year,1905,\nz,Herald,Flight,year,1906,2020-01-01T00:00:00Z';
    const { claims, actors, problems } = imported(csv);
    expect(problems.map(({ line, field }) => [line, field])).toEqual([
      [2, 'assertion_time'],
      [3, 'id'],
      [4, 'actor_id'],
    ]);
    expect(claims.map(({ id }) => id)).toEqual(['z']);
    expect(actors).toHaveLength(1);
  });

  it('refuses names that are not there when nothing is to be made', () => {
    const { problems } = imported('source,subject,predicate,value\nHerald,Flight,year,1903', NOTHING, {
      ...OPTIONS,
      createMissing: false,
    });
    expect(problems.map(({ field }) => field)).toEqual(['actor_id', 'subject_id']);
  });

  it('is text in UTF-8, or in UTF-16 with its mark, and nothing else', () => {
    const csv = 'id,value\n1,Zürich';
    expect(decodeText(Buffer.from(csv))).toBe(csv);
    expect(decodeText(Buffer.from(`\ufeff${csv}`, 'utf16le'))).toBe(csv);
    expect(decodeText(Buffer.from(csv, 'latin1'))).toBeNull();
    expect(decodeText(Buffer.from('PK\x03\x04\0\0'))).toBeNull();
    expect(decodeText(Buffer.from(''))).toBe('');
  });

  it('lacks a column once, not in every row', () => {
    const { claims, problems } = imported('source,colour\nHerald,red\nTimes,blue');
    expect(claims).toEqual([]);
    expect(problems.map(({ line, field }) => [line, field])).toEqual([
      [1, 'subject_id'],
      [1, 'predicate'],
      [1, 'value'],
    ]);
  });

  it('gives claims without an id those that are free, in order', () => {
    const rows = 2_000;
    const csv = `source,subject,predicate,value\n${'Herald,Flight,year,1903\n'.repeat(rows)}`;
    const { claims } = imported(csv, { ...NOTHING, claims: [{ id: 'c1' }, { id: 'c7' }] });
    expect(new Set(claims.map(({ id }) => id)).size).toBe(rows);
    expect(claims[0]!.id).toBe('c2');
    expect(claims.at(-1)!.id).toBe(`c${rows + 2}`);
  });
});
