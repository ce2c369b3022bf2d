import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Resvg } from '@resvg/resvg-wasm';
import { covers } from '@platform/testing/covers';
import { NAUGHTY_STRINGS } from '@platform/testing/naughty-strings';
import { exampleInput, snapshotOf } from '../snapshot.fixture.ts';
import { createImagePainter, type PaintImage } from './paint-image.ts';
import { IMAGE_FONT, IMAGE_HEIGHT, IMAGE_WIDTH, shareImage } from './share-image.tsx';
import { drawableText, textLines } from './text-lines.ts';

const { buildShareAssets } = (await import(join(import.meta.dirname, '../../build.mjs'))) as {
  buildShareAssets(folder: string): Promise<void>;
};
const FLIGHT = snapshotOf(exampleInput('first-flight'));
let folder: string;
let paint: PaintImage;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'share-image-'));
  await buildShareAssets(folder);
  paint = await createImagePainter(folder);
});

afterAll(() => rmSync(folder, { recursive: true }));

/** Width and height that the header of a PNG states. */
function sizeOf(png: Uint8Array): [number, number] {
  const bytes = Buffer.from(png);
  expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

/** The texts of a drawing, one for each line. */
const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map(([, text]) => text!);

const withQuestion = (question: string) => ({
  ...FLIGHT,
  result: { ...FLIGHT.result, research_question: question },
});

describe('the preview image of a share', () => {
  it('the preview image shows question, answer with its chance, sides and the day of the snapshot, and is painted at the size that is announced', () => {
    covers('INV-V.40');
    const svg = shareImage({
      ...FLIGHT,
      share: { ...FLIGHT.share, byline: 'Ana Reyes', publisher: 'The Ledger' },
    });
    const texts = textsOf(svg).join(' ').replaceAll('\u00a0', ' ');
    expect(texts).toMatch(/^Who made the first powered/);
    expect(texts).toMatch(/almost certainly achieved by Wilbur and Orville Wright \(chance \d\d %\)/);
    expect(texts).toContain('4 for');
    expect(texts).toContain('Ana Reyes, The Ledger');
    expect(texts).toContain('Frozen snapshot of 14 Mar 2026');
    const png = paint(svg);
    expect(sizeOf(png)).toEqual([IMAGE_WIDTH, IMAGE_HEIGHT]);
    expect(png.length).toBeLessThan(200_000);
  });

  it('the preview image is the same for the same snapshot, to the last byte', () => {
    expect(paint(shareImage(FLIGHT))).toEqual(paint(shareImage(FLIGHT)));
  });

  it('the preview image has no element but its own, whatever the question', () => {
    const strange = NAUGHTY_STRINGS.filter((question) =>
      /<(?!\/?(?:svg|rect|text|line)\b)/.test(shareImage(withQuestion(question))),
    );
    expect(strange).toEqual([]);
  });

  it('the preview image of a hostile question is painted', () => {
    covers('INV-V.42');
    const hostile = `</text><image href="http://evil.example/x.png"/><script>alert(1)</script>\u202e]]>&#0;${'W'.repeat(5000)}`;
    const svg = shareImage(withQuestion(hostile));
    expect(svg).not.toContain('<image');
    expect(sizeOf(paint(svg))).toEqual([IMAGE_WIDTH, IMAGE_HEIGHT]);
  });

  it('the preview image leaves a text out that its font does not have', () => {
    const texts = textsOf(shareImage(withQuestion('谁是第一个飞行的人？')));
    expect(texts[0]).toMatch(/^The first powered/);
  });

  it('labels beside one another on the preview image do not overlap, however many sources are copies', () => {
    covers('INV-V.202');
    const font = {
      fontBuffers: ['regular', 'semibold'].map((name) => readFileSync(join(folder, `image/${name}.ttf`))),
      defaultFontFamily: IMAGE_FONT,
    };
    const spanOf = (text: string): [number, number] => {
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630" font-family="${IMAGE_FONT}">${text}</svg>`;
      const image = new Resvg(svg, { font });
      const { x, width } = image.getBBox()!;
      image.free();
      return [x, x + width];
    };
    const said = (value: string, sources: number, copies: number) =>
      Array.from({ length: sources + copies }, (_, index) => ({
        id: `${value}${index}`,
        value,
        depends_on: index < sources ? [] : [`${value}0`],
      }));
    const cases = [said('a', 2, 1), said('a', 12, 11)].flatMap((ours) =>
      [said('b', 1, 1), said('b', 11, 12)].map((theirs) => [...ours, ...theirs]),
    );
    for (const all of cases) {
      const svg = shareImage(
        snapshotOf({
          research_question: 'What is it?',
          actors: all.map(({ id, depends_on }) => ({ id, name: id, source_type: 'Journalist', depends_on })),
          subjects: [{ id: 's', name: 'S', subject_type: 'thing' }],
          claims: all.map(({ id, value }) => ({
            id: `c-${id}`,
            actor_id: id,
            subject_id: 's',
            predicate: 'color',
            value: value === 'a' ? 'red' : 'blue',
            content: '',
          })),
        }),
      );
      const row = [...svg.matchAll(/<text [^>]*>[^<]*<\/text>/g)].map(([text]) => text);
      const at = row.findIndex((text) => / for[,<]/.test(text));
      const [ours, evidence, theirs] = row.slice(at, at + 3).map(spanOf);
      expect(row.slice(at, at + 3).join()).toMatch(/ for, .*Evidence.* against, /);
      expect(ours![0]).toBeGreaterThanOrEqual(70);
      expect(evidence![0]).toBeGreaterThan(ours![1]);
      expect(theirs![0]).toBeGreaterThan(evidence![1]);
      expect(theirs![1]).toBeLessThanOrEqual(IMAGE_WIDTH - 70);
    }
  });

  it('the preview image of an investigation without claims says that nothing was claimed', () => {
    const none = snapshotOf({ research_question: 'Nothing yet?', actors: [], subjects: [], claims: [] });
    expect(textsOf(shareImage(none)).join(' ')).toContain('Nothing was claimed');
  });
});

describe('the lines of the preview image', () => {
  const SIZE = 20;
  const WIDTH = 20;

  it('lines are no wider than they may be, in the font that paints them', () => {
    const fonts = ['regular', 'semibold'].map((name) => readFileSync(join(folder, `image/${name}.ttf`)));
    const font = { fontBuffers: fonts, defaultFontFamily: IMAGE_FONT };
    const questions = [
      ...NAUGHTY_STRINGS,
      'WWWWWWWWWWWWWWWWWWWWWWWWWWWW',
      'Щ'.repeat(60),
      'm@%— '.repeat(20),
    ];
    const lines = questions.flatMap((text) => textLines(drawableText(text) ?? '', { width: WIDTH, max: 3 }));
    expect(lines.length).toBeGreaterThan(100);
    const wide = lines.filter((line) => {
      const text = line.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="40"><text y="30" font-family="${IMAGE_FONT}" font-weight="600" font-size="${SIZE}">${text}</text></svg>`;
      const image = new Resvg(svg, { font });
      const width = image.getBBox()?.width ?? 0;
      image.free();
      return width > WIDTH * SIZE;
    });
    expect(wide).toEqual([]);
  });

  it('lines hold every word of a text that fits, and end with an ellipsis where something was cut', () => {
    const text = 'one two three four five six seven';
    expect(textLines(text, { width: 8, max: 9 }).join(' ')).toBe(text);
    const cut = textLines(text, { width: 8, max: 2 });
    expect(cut).toHaveLength(2);
    expect(cut[1]).toMatch(/^\w+( \w+)*…$/);
    expect(text).toContain(cut[1]!.slice(0, -1));
    expect(textLines('', { width: 8, max: 2 })).toEqual([]);
  });
});
