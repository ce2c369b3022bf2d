import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { damaged } from '@platform/testing/damaged';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import { workbook } from '@platform/testing/workbook';
import fc from 'fast-check';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { readFile } from './files.ts';
import { IMPORT_FORMATS } from './formats.ts';
import { UnreadableFile } from './imported.ts';
import { GOOD, handMade, JSON_FORMATS, mistyped } from './hostile-files.fixture.ts';
import { ANNOTATION } from './other-tools.fixture.ts';

fc.configureGlobal({ seed: SEED });

/** What a reader does with a file: gives an investigation, or refuses it in words. Anything else throws. */
function outcomeOf(format: (typeof IMPORT_FORMATS)[number], bytes: Uint8Array): 'read' | 'refused' {
  try {
    readFile(format, bytes);
    return 'read';
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    expect(error.message).toMatch(NAMED);
    return 'refused';
  }
}

/** Words of a person, and not those of the run time about a value that it did not expect. */
const NAMED = /^(?!.*(undefined|\[object |is not a function|Cannot read)).{8,}/s;

const statementOf = (value: string) => ({ mainsnak: { snaktype: 'value', datavalue: { value } } });

describe('hostile files', () => {
  it.each(IMPORT_FORMATS)('every damaged %s file is read or refused in words', (format) => {
    covers('INV-IMPORT.5');
    const good = GOOD[format];
    expect(outcomeOf(format, good)).toBe('read');
    fc.assert(
      fc.property(damaged(good), (bytes) => {
        outcomeOf(format, bytes);
      }),
      { numRuns: 300 },
    );
  });

  it('a file with a wrong value in any place is read, with what was left out, or refused in words', () => {
    covers('INV-IMPORT.5', 'INV-IMPORT.1');
    const counts = new Map<string, number>(JSON_FORMATS.map((format) => [format, 0]));
    const faults: string[] = [];
    // All of them in the soak, and of every run else another share by its seed.
    const all = [...mistyped()];
    const step = Math.floor(all.length / soak(all.length, 1_000));
    const files = all.filter((_, index) => index % step === SEED % step);
    for (const { format, name, bytes } of files) {
      counts.set(format, counts.get(format)! + 1);
      const check = (said: string) => NAMED.test(said) || faults.push(`${format}, ${name}: ${said}`);
      try {
        for (const { path, reason } of readFile(format, bytes).leftOut) check(`${path}: ${reason}`);
      } catch (error) {
        if (error instanceof UnreadableFile) check(error.message);
        else faults.push(`${format}, ${name}: ${(error as Error).stack}`);
      }
    }
    expect(faults).toEqual([]);
    for (const [format, count] of counts) expect([format, count > 20]).toEqual([format, true]);
  });

  it('more than 300 files that people have sent to readers of files are read or refused in words', () => {
    covers('INV-IMPORT.5');
    const files = handMade();
    expect(files.length).toBeGreaterThan(300);
    for (const { format, name, bytes } of files) {
      const before = process.cpuUsage();
      expect([format, name, outcomeOf(format, bytes)]).toEqual([format, name, expect.any(String)]);
      const { user, system } = process.cpuUsage(before);
      expect([format, name, (user + system) / 1e6 < 5]).toEqual([format, name, true]);
    }
  });

  it.each([
    ['nested lists', '['.repeat(200_000)],
    ['nested objects', '{"@graph":'.repeat(5_000)],
    [
      'a reference to itself',
      '{"@graph":[{"@id":"#a","@type":"ClaimReview","claimReviewed":"x","author":{"@id":"#a"},"itemReviewed":{"@id":"#a"},"reviewRating":{"@id":"#a"}}]}',
    ],
    ['open script blocks', '<script type="application/ld+json">'.repeat(2_000)],
    ['an endless tag', `<script ${'a'.repeat(200_000)}`],
  ])('a file of %s is refused in words by every reader', (_name, text) => {
    covers('INV-IMPORT.5');
    for (const format of IMPORT_FORMATS)
      expect([format, outcomeOf(format, new TextEncoder().encode(text))]).toEqual([format, 'refused']);
  });

  it.each([
    [
      'claimreview',
      'script blocks that are never closed',
      '<script type="application/ld+json">'.repeat(40_000),
    ],
    [
      'claimreview',
      'a script block of blanks',
      `<script type="application/ld+json">{${' '.repeat(200_000)}x</script>`,
    ],
    ['claimreview', 'a tag of attributes', `<script ${'type= '.repeat(200_000)}`],
    [
      'hypothesis',
      'a user name of signs',
      JSON.stringify({ rows: [{ ...ANNOTATION, user: `${'@'.repeat(300_000)}\n` }] }),
    ],
  ] as const)(
    'a file of %s with %s takes time by its length and not by the square of it',
    (format, _name, text) => {
      covers('INV-IMPORT.5');
      const before = process.cpuUsage();
      outcomeOf(format, new TextEncoder().encode(text));
      const { user, system } = process.cpuUsage(before);
      // Milliseconds where the time grows with the length, and minutes where it grows with its square.
      expect((user + system) / 1e6).toBeLessThan(3);
    },
  );

  it.each([
    [
      'wikidata',
      'one label in every statement',
      {
        id: 'Q1',
        labels: { en: { value: 'L'.repeat(20_000) } },
        claims: { P1: Array.from({ length: 2_000 }, (_, n) => statementOf(`v${n}`)) },
      },
    ],
    [
      'wikidata',
      'one value under many references',
      {
        id: 'Q1',
        claims: {
          P1: [
            {
              ...statementOf('V'.repeat(20_000)),
              references: Array.from({ length: 2_000 }, (_, n) => ({
                snaks: { P248: [statementOf(`s${n}`).mainsnak] },
              })),
            },
          ],
        },
      },
    ],
    [
      'aif',
      'premises of many conclusions',
      {
        nodes: [
          { nodeID: 'all', type: 'RA' },
          ...Array.from({ length: 3_000 }, (_, n) => ({ nodeID: n, type: 'I', text: `proposition ${n}` })),
        ],
        edges: Array.from({ length: 3_000 }, (_, n) =>
          n % 2 ? { fromID: n, toID: 'all' } : { fromID: 'all', toID: n },
        ),
      },
    ],
  ] as const)('a short %s file that makes a long investigation of %s is refused', (format, _name, file) => {
    covers('INV-IMPORT.5');
    const bytes = new TextEncoder().encode(JSON.stringify(file));
    expect(bytes.length).toBeLessThan(500_000);
    expect(() => readFile(format, bytes)).toThrow(/more than \d+ characters: send it in parts/);
  });

  it('a workbook whose cells share one long text is refused, and links over all of a sheet are passed over', () => {
    covers('INV-IMPORT.5', 'INV-IMPORT.3');
    const heading = ['source', 'subject', 'predicate', 'value', 'content'];
    const row = ['A', 'b', 'c', '1', 'x'.repeat(20_000)];
    const rows = [heading, ...Array.from({ length: 1_000 }, () => row)];
    expect(() => readFile('xlsx', workbook({ Claims: rows }, { bookSST: true }))).toThrow(
      /more than \d+ characters: send it in parts/,
    );

    const parts = unzipSync(GOOD.xlsx);
    // fflate writes no part of this name by itself.
    const named = Buffer.from(zipSync({ ...parts, _other__x: strToU8('x'.repeat(1_000)) })).toString(
      'latin1',
    );
    const renamed = new Uint8Array(Buffer.from(named.replaceAll('_other__x', '__proto__'), 'latin1'));
    expect(readFile('xlsx', renamed).payload.claims).toHaveLength(1);

    const sheet = 'xl/worksheets/sheet1.xml';
    const link = '<hyperlink ref="A1:XFD1048576" location="x"/>';
    parts[sheet] = strToU8(
      strFromU8(parts[sheet]!).replace('</sheetData>', `</sheetData><hyperlinks>${link}</hyperlinks>`),
    );
    const before = process.cpuUsage();
    expect(readFile('xlsx', zipSync(parts)).payload.claims).toHaveLength(1);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1e6).toBeLessThan(3);
  });
});
