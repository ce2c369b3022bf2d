import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { readFile } from './files.ts';
import { IMPORT_FORMATS } from './formats.ts';
import { UnreadableFile } from './imported.ts';
import { ANNOTATION } from './other-tools.fixture.ts';
import { readHypothesis } from './read-hypothesis.ts';
import { jsonBytes } from './judged.fixture.ts';

const target = (exact: string) => ({
  source: ANNOTATION.uri,
  selector: [{ type: 'TextQuoteSelector', exact }],
});

describe('an empty file', () => {
  it.each(IMPORT_FORMATS.filter((format) => format !== 'xlsx'))(
    'an empty %s file is said to be empty',
    (format) => {
      covers('INV-IMPORT.1');
      expect(() => readFile(format, new Uint8Array())).toThrow('the file is empty');
    },
  );
});

describe('a file in UTF-16', () => {
  it.each(IMPORT_FORMATS.filter((format) => format !== 'xlsx'))(
    'a %s file in UTF-16 with its byte order mark is read, or refused, as the same file in UTF-8',
    (format) => {
      covers('INV-IMPORT.47');
      const text = JSON.stringify({ rows: [ANNOTATION], research_question: 'Who, “why”?', '\u{1f600}': 1 });
      const little = new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le'));
      const big = Uint8Array.from(little, (_byte, index) => little[index ^ 1]!);
      const outcome = (file: Uint8Array) => {
        try {
          return readFile(format, file);
        } catch (error) {
          return error;
        }
      };
      const expected = outcome(new TextEncoder().encode(text));
      expect([outcome(little), outcome(big)]).toEqual([expected, expected]);
    },
  );
});

describe('annotations of Hypothesis', () => {
  it('tags of an annotation for both sides leave it neutral, which is named', () => {
    covers('INV-IMPORT.33');
    const { payload, leftOut } = readHypothesis(jsonBytes({ ...ANNOTATION, tags: ['Supports', 'refutes'] }));
    expect(payload.evidence).toMatchObject([{ valence: 'Neutral' }]);
    expect(leftOut).toContainEqual(
      expect.objectContaining({
        path: 'rows[0].tags',
        reason: expect.stringContaining('both for and against'),
      }),
    );
  });

  it('a highlighted passage becomes a claim with its quote, and the comment evidence on it', () => {
    covers('INV-IMPORT.8');
    const reply = { ...ANNOTATION, references: ['a1'] };
    const note = { ...ANNOTATION, target: [{ source: 'https://example.org/minutes' }] };
    const against = { ...ANNOTATION, id: 'a2', text: 'It was shut in May.', tags: ['refutes'] };
    const { payload, leftOut } = readHypothesis(
      jsonBytes({ total: 4, rows: [ANNOTATION, reply, note, against] }),
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
    expect(leftOut.map(({ path }) => path)).toEqual(expect.arrayContaining(['rows[1]', 'rows[2]']));
  });

  it('a page is one source by its address, whatever title or place in it an annotation gives', () => {
    covers('INV-IMPORT.8');
    const other = {
      ...ANNOTATION,
      id: 'a2',
      uri: 'https://example.org/minutes#page=2',
      document: { title: ['Minutes, town'] },
    };
    const untitled = { ...ANNOTATION, id: 'a3', uri: 'https://example.org/log', document: {} };
    const { payload, leftOut } = readHypothesis(jsonBytes({ rows: [ANNOTATION, other, untitled] }));
    expect(payload.actors.map(({ name }) => name)).toEqual(['Town minutes', 'example.org/log']);
    expect(leftOut).toContainEqual({
      path: 'rows[1].document.title',
      reason: '"Minutes, town" is another title of a page that has one already',
    });
  });

  it.each([
    'https://www.example.org/story?utm_source=x&id=1',
    'https://www.example.org/story?id=1&fbclid=IwAR0#top',
    'https://www.example.org/story/?id=1',
    'http://www.example.org/story?id=1',
    'https://via.hypothes.is/https://www.example.org/story?gclid=1&id=1',
  ])('the page of %s is the source that its plain address is, with one claim of one passage', (uri) => {
    covers('INV-IMPORT.93');
    const plain = { ...ANNOTATION, uri: 'https://www.example.org/story?id=1' };
    const titled = { ...plain, id: 'a2', uri, document: { title: ['UPDATE: minutes'] } };
    for (const other of [titled, { ...titled, document: {} }]) {
      const { payload } = readHypothesis(jsonBytes({ rows: [plain, other] }));
      expect(payload.actors).toHaveLength(1);
      expect(payload.claims).toHaveLength(1);
      expect(payload.evidence).toHaveLength(2);
    }
  });

  it.each(['https://www.example.org/story?id=2', 'https://example.org/story?id=1', 'urn:x-pdf:2f1a'])(
    'the page of %s stays a source of its own',
    (uri) => {
      covers('INV-IMPORT.93');
      const plain = { ...ANNOTATION, uri: 'https://www.example.org/story?id=1' };
      const other = { ...plain, id: 'a2', uri };
      expect(readHypothesis(jsonBytes({ rows: [plain, other] })).payload.actors).toHaveLength(2);
    },
  );

  it.each([['acct:ann@hypothes.is'], ['group:priv1']])(
    'an annotation that %s alone may read is named',
    (read) => {
      covers('INV-IMPORT.94');
      const own = { ...ANNOTATION, group: 'priv1', permissions: { read: [read], admin: [] } };
      const { payload, leftOut } = readHypothesis(jsonBytes({ rows: [own] }));
      expect(payload.evidence).toHaveLength(1);
      expect(leftOut).toContainEqual({
        path: 'rows[0].permissions.read',
        reason: expect.stringContaining('a share of the session publishes it'),
      });
      const open = { ...own, permissions: { read: ['group:__world__'] } };
      const paths = readHypothesis(jsonBytes({ rows: [open] })).leftOut.map(({ path }) => path);
      expect(paths).not.toContain('rows[0].permissions.read');
    },
  );

  it('the file that the sidebar exports holds the annotations of a search, and nothing of it is named', () => {
    covers('INV-IMPORT.75');
    const exported = {
      export_date: '2026-05-05T00:00:00.000Z',
      export_userid: 'acct:jane@hypothes.is',
      client_version: '1.1567.0',
      annotations: [ANNOTATION],
    };
    const searched = readHypothesis(jsonBytes({ total: 1, rows: [ANNOTATION] }));
    const { payload, leftOut } = readHypothesis(jsonBytes(exported));
    expect(payload).toEqual(searched.payload);
    expect(leftOut.map(({ path, reason }) => [path.replace('annotations', 'rows'), reason])).toEqual(
      searched.leftOut.map(({ path, reason }) => [path, reason]),
    );
  });

  it('an annotation that moderators hid and one of a question are left out by name', () => {
    covers('INV-IMPORT.75', 'INV-IMPORT.76');
    const asked = { ...ANNOTATION, target: [target('Is the dam safe?')] };
    const { payload, leftOut } = readHypothesis(
      jsonBytes([{ ...ANNOTATION, target: [target('hidden words')], hidden: true }, asked, ANNOTATION]),
    );
    expect(payload.claims.map(({ content }) => content)).toEqual(['the bridge is open']);
    expect(leftOut.slice(0, 2)).toEqual([
      { path: 'rows[0]', reason: expect.stringContaining('hidden by the moderators') },
      { path: 'rows[1]', reason: expect.stringMatching(/^is a question/) },
    ]);
  });

  it('a file without annotations is refused by name', () => {
    covers('INV-IMPORT.1');
    expect(() => readHypothesis(jsonBytes({ rows: [] }))).toThrow(UnreadableFile);
    expect(() => readHypothesis(jsonBytes({ rows: [{ target: [] }] }))).toThrow('highlights no words');
  });
});
