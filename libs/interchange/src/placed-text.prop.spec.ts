import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { pdfOfObjects } from '@platform/testing/pdf';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { readPdf } from './read-pdf.ts';

fc.configureGlobal({ seed: SEED });

/** How a run may be drawn: each of these is the habit of some program. */
const MEANS = ['alone', 'in a form', 'in a form of a form', 'marked', 'in a stream'] as const;

/** A run of text on a page: where it begins, its size, both in points, and its direction in quarter turns. */
interface Run {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly quarter: number;
  readonly by: (typeof MEANS)[number];
}

const PAGE = 2_000;
/** Width of each letter of Courier, in sizes. */
const LETTER = 0.6;
const COS = [1, 0, -1, 0];

/** The point that lies `along` and `across` from where a run begins. */
const from = ({ x, y, quarter }: Run, along: number, across: number): [number, number] => {
  const [cos, sin] = [COS[quarter]!, COS[(quarter + 3) % 4]!];
  return [x + along * cos - across * sin, y + along * sin + across * cos];
};

/** A PDF file of one page that shows these runs. */
function pdfOfPlaced(runs: readonly Run[]): Uint8Array<ArrayBuffer> {
  const stream = (content: string, dictionary = '') =>
    `<<${dictionary}/Length ${content.length}>>stream\n${content}\nendstream`;
  const forms: string[] = [];
  const resources = (form: string) => `/Resources<</Font<</F 4 0 R>>/XObject<<${form}>>>>`;
  const names = () => forms.map((_form, at) => `/X${at} ${at + 6} 0 R`).join('');
  const drawn = (content: string): string => {
    const head = `/Type/XObject/Subtype/Form/BBox[0 0 ${PAGE} ${PAGE}]${resources(names())}`;
    return `/X${forms.push(stream(content, head)) - 1} Do`;
  };
  const contents = runs.map((run) => {
    const { text, x, y, size, quarter, by } = run;
    const [cos, sin] = [COS[quarter]!, COS[(quarter + 3) % 4]!];
    const shown = `BT /F ${size} Tf ${cos} ${sin} ${-sin} ${cos} ${x} ${y} Tm (${text}) Tj ET`;
    if (by === 'in a form') return drawn(shown);
    if (by === 'in a form of a form') return drawn(drawn(shown));
    return by === 'marked' ? `/Span BMC ${shown} EMC` : shown;
  });
  const streams: string[][] = [[]];
  runs.forEach(({ by }, at) => {
    if (by === 'in a stream') streams.push([]);
    streams.at(-1)!.push(contents[at]!);
  });
  const first = 6 + forms.length;
  return pdfOfObjects([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${PAGE} ${PAGE}]${resources(names())}/Contents 5 0 R>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Courier>>',
    `[${streams.map((_stream, at) => `${first + at} 0 R`).join(' ')}]`,
    ...forms,
    ...streams.map((lines) => stream(lines.join('\n'))),
  ]);
}

const runs = fc.record({
  text: fc.stringMatching(/^[0-9a-zA-Z]{1,6}$/),
  x: fc.integer({ min: 800, max: 1_200 }),
  y: fc.integer({ min: 800, max: 1_200 }),
  size: fc.integer({ min: 6, max: 24 }),
  quarter: fc.integer({ min: 0, max: 3 }),
  by: fc.constantFrom(...MEANS),
});

/** Whether two runs are apart on the page, by a quarter of the size of the larger. */
function areApart(one: Run, other: Run): boolean {
  const margin = Math.max(one.size, other.size) / 4;
  const [left, right] = [one, other].map((run) => {
    const length = run.text.length * LETTER * run.size;
    const corners = [from(run, 0, -0.2 * run.size), from(run, length, 0.8 * run.size)];
    return [0, 1].map((axis) => corners.map((corner) => corner[axis]!).toSorted((a, b) => a - b));
  });
  return [0, 1].some(
    (axis) => left![axis]![0]! - right![axis]![1]! > margin || right![axis]![0]! - left![axis]![1]! > margin,
  );
}

describe('where words of a PDF file end', () => {
  it('two runs that are apart on the page are not joined, however they are drawn', async () => {
    covers('INV-Q.55');
    await fc.assert(
      fc.asyncProperty(fc.array(runs, { minLength: 2, maxLength: 12 }), async (all) => {
        const placed = all.filter((run, at) => all.slice(0, at).every((before) => areApart(before, run)));
        const { text } = await readPdf(pdfOfPlaced(placed));
        expect(text.split(/\s+/)).toEqual(placed.map((run) => run.text));
      }),
    );
  });

  it('a word that is drawn in pieces is one word, however they are drawn', async () => {
    covers('INV-Q.55');
    const nudge = fc.double({ min: -0.04, max: 0.04, noNaN: true });
    const pieces = fc.array(fc.tuple(runs, nudge, nudge), { minLength: 2, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(runs, pieces, async (start, all) => {
        let letters = 0;
        const placed = all.map(([{ text, by }, along, across]) => {
          const [x, y] = from(start, (letters * LETTER + along) * start.size, across * start.size);
          letters += text.length;
          return { ...start, text, by, x: Number(x.toFixed(3)), y: Number(y.toFixed(3)) };
        });
        const { text } = await readPdf(pdfOfPlaced(placed));
        expect(text).toBe(placed.map((run) => run.text).join(''));
      }),
    );
  });

  it('columns of text that is written downwards are lines, whatever pieces they are drawn in', async () => {
    covers('INV-Q.55');
    const show = (text: string, x: number, y: number) => {
      const code = [...text].map((sign) => sign.charCodeAt(0).toString(16).padStart(4, '0')).join('');
      return `/Span BMC BT /F 12 Tf ${x} ${y} Td <${code}> Tj ET EMC`;
    };
    const content = [
      show('日本', 500, 700),
      show('国の', 500, 676),
      show('橋', 482, 700),
      show('閉', 482, 688),
      show('五月', 482, 640),
    ].join('\n');
    const bytes = pdfOfObjects([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 4 0 R>>>>/Contents 6 0 R>>',
      '<</Type/Font/Subtype/Type0/BaseFont/T/Encoding/Identity-V/ToUnicode/Identity-H/DescendantFonts[5 0 R]>>',
      '<</Type/Font/Subtype/CIDFontType2/BaseFont/T/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 7 0 R>>',
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
      '<</Type/FontDescriptor/FontName/T/Flags 4/FontBBox[0 0 1000 880]/ItalicAngle 0/Ascent 880/Descent 0/CapHeight 700/StemV 80>>',
    ]);
    expect((await readPdf(bytes)).text).toBe('日本国の\n橋閉 五月');
  });

  it.each<[string, string, readonly (readonly [text: string, x: number, y: number, size: number])[]]>([
    [
      'a stamp below the text',
      '12\n000123',
      [
        ['12', 300, 500, 12],
        ['000123', 300, 40, 9],
      ],
    ],
    [
      'a value beside its label',
      'Flights 12',
      [
        ['Flights', 50, 500, 12],
        ['12', 150, 500, 15],
      ],
    ],
    [
      'a value over its label',
      '12\n000',
      [
        ['12', 300, 500, 12],
        ['000', 240, 500, 12],
      ],
    ],
    [
      'the same word twice',
      'gift\ngift',
      [
        ['gift', 300, 500, 12],
        ['gift', 300.3, 500, 12],
      ],
    ],
    [
      'a footnote of a number',
      '12 3 gifts',
      [
        ['12', 300, 500, 12],
        ['3', 314.4, 505, 7],
        ['gifts', 330, 500, 12],
      ],
    ],
    [
      'the sign of a unit',
      'm2',
      [
        ['m', 300, 500, 12],
        ['2', 307.2, 505, 7],
      ],
    ],
    [
      'a formula',
      'H2O',
      [
        ['H', 300, 500, 12],
        ['2', 307.2, 497, 7],
        ['O', 311.4, 500, 12],
      ],
    ],
    [
      'a large first letter',
      'Town',
      [
        ['T', 300, 500, 36],
        ['own', 324, 520, 12],
      ],
    ],
  ])('%s is stored as it is read', async (_name, expected, drawn) => {
    covers('INV-Q.55');
    for (const by of MEANS) {
      const placed = drawn.map(([text, x, y, size]): Run => ({ text, x, y, size, quarter: 0, by }));
      expect((await readPdf(pdfOfPlaced(placed))).text).toBe(expected);
    }
  });
});
