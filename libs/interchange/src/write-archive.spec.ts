import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryFolder } from '@platform/testing';
import { covers } from '@platform/testing/covers';
import { unzipSync } from 'fflate';
import { BRIDGE, judge, partsOf } from './judged.fixture.ts';
import { writeArchive } from './write-archive.ts';

const judged = judge(BRIDGE);
const DOCUMENT = {
  document: 'file_1/../../etc',
  version: 2,
  sha256: 'x',
  filename: 'minutes.txt',
  url: null,
  contents: 'Resolved: the bridge shall be built.\n',
};
const zip = writeArchive(judged, {
  ...partsOf(judged),
  documents: [DOCUMENT],
  missing: [{ document: 'file_2', reason: 'no_access' }],
});

describe('archives', () => {
  it('sha256sum verifies every file of an unpacked archive, and finds a changed one', async () => {
    covers('INV-EXPORT.5');
    const folder = await temporaryFolder('archive-');
    for (const [path, bytes] of Object.entries(unzipSync(zip))) {
      execFileSync('mkdir', ['-p', join(folder, path, '..')]);
      writeFileSync(join(folder, path), bytes);
    }
    const verify = () => execFileSync('sha256sum', ['-c', 'SHA256SUMS'], { cwd: folder, encoding: 'utf8' });
    const lines = verify().trim().split('\n');
    expect(lines.every((line) => line.endsWith(': OK'))).toBe(true);
    expect(lines).toHaveLength(Object.keys(unzipSync(zip)).length - 1);
    writeFileSync(join(folder, 'result.json'), '{}');
    expect(verify).toThrow();
  });

  it('an archive holds what was judged byte for byte, and documents under plain names', () => {
    covers('INV-EXPORT.5');
    const files = unzipSync(zip);
    expect(new TextDecoder().decode(files['investigation.json'])).toBe(JSON.stringify(BRIDGE));
    expect(Object.keys(files).filter((path) => path.startsWith('documents/'))).toEqual([
      'documents/file_1_______etc-v2.txt',
    ]);
    expect(JSON.parse(new TextDecoder().decode(files['about.json']))).toMatchObject({
      documents_left_out: [{ document: 'file_2', reason: 'no_access' }],
    });
  });

  it('an archive holds, for a text that was read from a PDF file, the digest of that file', () => {
    covers('INV-EXPORT.22');
    const documents = [DOCUMENT, { ...DOCUMENT, document: 'file_3', pdf_sha256: 'b'.repeat(64) }];
    const files = unzipSync(writeArchive(judged, { ...partsOf(judged), documents }));
    const { documents: told } = JSON.parse(new TextDecoder().decode(files['about.json'])) as {
      documents: { pdf_sha256?: string }[];
    };
    expect(told.map(({ pdf_sha256 }) => pdf_sha256)).toEqual([undefined, 'b'.repeat(64)]);
  });

  it('the README of an archive says in what a result judged again differs', () => {
    covers('INV-EXPORT.5');
    const readme = new TextDecoder().decode(unzipSync(zip)['README.txt']);
    expect(readme).toMatch(/gives the same result\.json but for\nevaluated_at, .*, and quotes, /);
  });

  it('every file of an archive is named by its README and by the page on formats', () => {
    covers('INV-EXPORT.5');
    const passages = [
      {
        document: 'file_1',
        version: 2,
        sha256: 'x',
        filename: 'minutes.txt',
        url: null,
        added_at: null,
        length: 1,
        stretches: [],
        marks: [],
      },
    ];
    const files = unzipSync(
      writeArchive({ ...judged, documents: passages }, { ...partsOf(judged), documents: [DOCUMENT] }),
    );
    const inside = new TextDecoder().decode(files['README.txt']);
    const page = readFileSync(join(import.meta.dirname, '../docs/formats.md'), 'utf8');
    const row = page.split('\n').find((line) => line.startsWith('| `zip`'))!;
    const names = Object.keys(files).map((path) => path.replace(/\/.*/, '/'));
    expect(names).toContain('passages.json');
    expect(names.filter((name) => !inside.includes(name) && name !== 'README.txt')).toEqual([]);
    expect(names.filter((name) => !row.includes(`\`${name}\``))).toEqual([]);
  });

  it('the same judgement gives the same archive', () => {
    covers('INV-EXPORT.5');
    expect(writeArchive(judged, partsOf(judged))).toEqual(writeArchive(judge(BRIDGE), partsOf(judged)));
  });
});
