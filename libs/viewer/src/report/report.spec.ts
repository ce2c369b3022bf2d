import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import type { InvestigationInput } from '@platform/opinion-fusion';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { getDocumentProxy } from 'unpdf';
import { answerText } from '../page/answer-text.ts';
import { exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import { boxes } from '../suspected.fixture.ts';
import { treeOf } from './markup.ts';
import { writeReport } from './report.tsx';

fc.configureGlobal({ seed: SEED });

const { resolve } = createRequire(import.meta.url);
const font = (file: string) =>
  new Uint8Array(readFileSync(resolve(`@expo-google-fonts/source-serif-4/${file}`)));
const fonts = {
  regular: font('400Regular/SourceSerif4_400Regular.ttf'),
  semibold: font('600SemiBold/SourceSerif4_600SemiBold.ttf'),
};
const flight = snapshotOf(exampleInput('first-flight'));

interface Tagged {
  readonly role: string;
  readonly alt?: string;
  readonly children?: readonly Tagged[];
}

/** What PDF.js reads of a report: text in reading order, and the types of its elements. */
async function read(bytes: Uint8Array) {
  const file = await getDocumentProxy(bytes.slice());
  const { info } = (await file.getMetadata()) as { info: { Title: string; Language: string } };
  let text = '';
  const elements: Tagged[] = [];
  const links: string[] = [];
  const walk = (element: Tagged) => {
    elements.push(element);
    for (const child of element.children ?? []) if ('role' in child) walk(child);
  };
  for (let number = 1; number <= file.numPages; number += 1) {
    const page = await file.getPage(number);
    walk(await page.getStructTree());
    for (const item of (await page.getTextContent()).items as { str?: string; hasEOL?: boolean }[])
      text += `${item.str ?? ''}${item.hasEOL ? ' ' : ''}`;
    for (const { url } of (await page.getAnnotations()) as { url?: string }[]) if (url) links.push(url);
    text += ' ';
  }
  return { info, pages: file.numPages, text: squeezed(text), elements, links };
}
const squeezed = (text: string) => text.replace(/\s+/g, '');

const asked = (question: string, more: Partial<InvestigationInput> = {}): InvestigationInput => ({
  research_question: question,
  actors: [{ id: 'a', name: 'Archive', source_type: 'Institutional' }],
  subjects: [{ id: 's', name: 'Bridge', subject_type: 'structure' }],
  claims: [
    {
      id: 'c',
      actor_id: 'a',
      subject_id: 's',
      predicate: 'built_in',
      value: '1731',
      content: 'Council record.',
    },
  ],
  ...more,
});

describe('reports', () => {
  it('both forms say in the words of the page what it answers, with chances and digests', async () => {
    covers('INV-EXPORT.8');
    const { answer, findings } = answerText(flight);
    const [full, brief] = await Promise.all(
      (['full', 'brief'] as const).map((form) => read(writeReport(flight, form, fonts))),
    );
    for (const sentence of answer) {
      expect(full!.text).toContain(squeezed(sentence));
      expect(brief!.text).toContain(squeezed(sentence));
    }
    for (const sentence of findings) expect(full!.text).toContain(squeezed(sentence).replace(/\.$/, ''));
    for (const { text } of [full!, brief!])
      for (const digest of [flight.input_sha256, flight.result_sha256]) expect(text).toContain(digest);
    expect(full!.text).toContain(squeezed('What would change this'));
    expect(full!.text).toContain(squeezed('It depends on what counts as a flight'));
    expect(full!.links).toContain('https://www.loc.gov/collections/wilbur-and-orville-wright-papers/');
  });

  it('a report names its title and language, has headings in order, and figures and links with their text', async () => {
    covers('INV-EXPORT.9');
    const { info, elements } = await read(writeReport(flight, 'full', fonts));
    expect(info).toMatchObject({ Title: flight.result.research_question, Language: 'en' });
    const levels = elements.flatMap(({ role }) => /^H(\d)$/.exec(role)?.[1] ?? []).map(Number);
    expect(levels[0]).toBe(1);
    for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 1)).toBeLessThan(2);
    for (const role of ['P', 'L', 'LI', 'LBody', 'Lbl', 'Link'])
      expect(elements.map((element) => element.role)).toContain(role);
    const figures = elements.filter(({ role }) => role === 'Figure');
    expect(figures.length).toBeGreaterThan(5);
    for (const { alt } of figures) expect(alt).toMatch(/^support \S+, uncertainty .+, opposition /);
  });

  it('a question that looks like XML stands in the metadata as it is', () => {
    covers('INV-EXPORT.8');
    const report = writeReport(snapshotOf(asked('Is A & B </rdf:li><x y="1"> open?')), 'brief', fonts);
    const file = Buffer.from(report).toString();
    expect(file).toContain('>Is A &amp; B &lt;/rdf:li&gt;&lt;x y=&quot;1&quot;&gt; open?</rdf:li>');
  });

  it('the report says that a suspected source may not be independent, and nowhere that it is not', async () => {
    covers('INV-V.57');
    const { text } = await read(writeReport(snapshotOf(boxes('detected')), 'full', fonts));
    expect(text).toContain(squeezed('one more that may not be independent of it'));
    expect(text).toContain(squeezed('1 more may not be independent'));
    expect(
      text.replaceAll(squeezed('sure that they are not independent, which is a suspicion'), ''),
    ).not.toMatch(/notindependent/);
  });

  it('the report of one page says how many quotes are not verified, and nothing where there are none', async () => {
    covers('INV-EXPORT.41');
    const source = { document: 'file_1', version: 1, selector: { exact: 'built in 1731' } };
    const input = asked('When?');
    const quoting = { ...input, claims: input.claims.map((claim) => ({ ...claim, source })) };
    const textOf = async (snapshot: ReturnType<typeof snapshotOf>) =>
      (await read(writeReport(snapshot, 'brief', fonts))).text;
    expect(await textOf(snapshotOf(quoting))).toContain(
      squeezed('0 quotes of 1 stand where they were pinned'),
    );
    const verified = { kind: 'claims', id: 'c', document: 'file_1', version: 1, state: 'verified' } as const;
    const quotes = { checked_at: '2026-01-01T00:00:00Z', items: [{ ...verified, start: 0, end: 13 }] };
    expect(await textOf({ ...snapshotOf(quoting), quotes })).toContain(
      squeezed('1 quote of 1 stands where it was pinned'),
    );
    expect(await textOf(snapshotOf(input))).not.toContain('pinned');
  });

  it('the same snapshot gives the same bytes', () => {
    covers('INV-EXPORT.10');
    for (const form of ['full', 'brief'] as const)
      expect(Buffer.compare(writeReport(flight, form, fonts), writeReport(flight, form, fonts))).toBe(0);
  });

  it.each([
    ['橋はいつ建てられた', '[9 Japanese characters]'],
    ['Is 橋梁 open?', 'Is [2 Chinese characters] open?'],
    ['متى بني الجسر؟', '[11 Arabic characters]'],
    ['Open 🚧🌉 now?', 'Open [2 emoji] now?'],
  ])('what the fonts lack of %s is named as %s, explained, and kept as text', async (question, shown) => {
    covers('INV-EXPORT.11');
    for (const form of ['full', 'brief'] as const) {
      const bytes = writeReport(snapshotOf(asked(question)), form, fonts);
      const { text } = await read(bytes);
      expect(text).toContain(squeezed(shown));
      expect(text).toContain(squeezed('Other characters are named in brackets'));
      const lacking =
        /[\p{Script=Han}\p{Script=Arabic}\p{Script=Hiragana}]+|\p{Extended_Pictographic}+/u.exec(
          question,
        )![0];
      const stored = Buffer.from(lacking, 'utf16le')
        .swap16()
        .toString('latin1')
        .replace(/[\\()]/g, '\\$&')
        .replace(/\t/g, '\\t');
      expect(Buffer.from(bytes).toString('latin1').includes(`/ActualText (\xfe\xff${stored}`)).toBe(true);
    }
  });

  it('Greek, Cyrillic and accented letters are drawn, and nothing is named', async () => {
    covers('INV-EXPORT.11');
    const { text } = await read(writeReport(snapshotOf(asked('Čí je мост, και πότε;')), 'full', fonts));
    expect(text).toContain(squeezed('Čí je мост, και πότε;'));
    expect(text).not.toContain('namedinbrackets');
  });

  it('the brief report has one page whatever texts it has', async () => {
    covers('INV-EXPORT.8', 'INV-EXPORT.12');
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 60 }),
      fc.constantFrom(
        'W'.repeat(9_000),
        'word '.repeat(3_000),
        '\u202e)txet(\u0000\u001b[31m',
        '🌉'.repeat(2_000),
        '\u{10FFFF}a'.repeat(30),
      ),
    );
    await fc.assert(
      fc.asyncProperty(hostile, hostile, hostile, hostile, async (question, name, value, content) => {
        const input = asked(question, {
          actors: [{ id: 'a', name: `${name}.`, source_type: 'Institutional' }],
          subjects: [{ id: 's', name: `${content}.`, subject_type: 'structure' }],
          claims: [
            { id: 'c', actor_id: 'a', subject_id: 's', predicate: 'built_in', value, content: `${content}.` },
            { id: 'd', actor_id: 'a', subject_id: 's', predicate: 'p', value: name, content: `${value}.` },
          ],
        });
        const snapshot = snapshotOf(input, { session_name: name, interpretation: content });
        expect((await read(writeReport(snapshot, 'brief', fonts))).pages).toBe(1);
        expect((await read(writeReport(snapshot, 'full', fonts))).pages).toBeLessThan(40);
      }),
      { numRuns: 8 },
    );
  });

  it('the brief report has one page where every other character of its texts is named in brackets', async () => {
    covers('INV-EXPORT.8', 'INV-EXPORT.12');
    const text = '\u{10FFFF}a'.repeat(30);
    const input = asked(text, {
      actors: [{ id: 'a', name: text, source_type: 'Institutional' }],
      subjects: [{ id: 's', name: text, subject_type: 'structure' }],
      claims: [
        { id: 'c', actor_id: 'a', subject_id: 's', predicate: 'built_in', value: text, content: text },
        { id: 'd', actor_id: 'a', subject_id: 's', predicate: 'p', value: text, content: text },
      ],
    });
    const snapshot = snapshotOf(input, { session_name: text, interpretation: text });
    expect((await read(writeReport(snapshot, 'brief', fonts))).pages).toBe(1);
  });

  it('no text of a user becomes an element of the report', () => {
    covers('INV-EXPORT.12');
    fc.assert(
      fc.property(fc.string(), (text) => {
        const markup = text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/"/g, '&quot;');
        expect(treeOf(`<p title="${markup}">${markup}</p>`).children).toEqual([
          { tag: 'p', attributes: { title: text }, children: text === '' ? [] : [text] },
        ]);
      }),
    );
  });
});
