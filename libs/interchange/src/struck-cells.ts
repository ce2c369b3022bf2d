/** What a workbook strikes through: formats of whole cells and shared texts, by their numbers from 0. */
export interface Struck {
  readonly formats: ReadonlySet<number>;
  readonly texts: ReadonlySet<number>;
}

const STRIKE = /<(?:\w+:)?strike(?:\s+val=["'](?:1|true)["'])?\s*\/?>/;
/** Code units behind the start of a cell in which the number of its shared text stands. */
const VALUE_LENGTH = 300;

/**
 * What the formats and the shared texts of a workbook strike through, a text where a part of it is. Pure.
 * Source: ECMA-376 Part 1, 18.4.10, 18.8.22 and 18.8.10.
 */
export function struckIn(styles: string, sharedTexts: string): Struck {
  const fonts = struckParts(sectionOf(styles, 'fonts'), /<(?:\w+:)?font[\s>/]/);
  const formats = Array.from(
    sectionOf(styles, 'cellXfs').matchAll(/<(?:\w+:)?xf(?:\s[^<>]*)?>/g),
    ([format]) => Number(/\sfontId=["'](\d+)/.exec(format)?.[1]),
  );
  return {
    formats: new Set(formats.flatMap((font, at) => (fonts.has(font) ? [at] : []))),
    texts: struckParts(sharedTexts, /<(?:\w+:)?si[\s>/]/),
  };
}

/** References, such as `B2`, of the cells of a sheet that have a value and are struck through, if in part. */
export function struckCells(sheet: string, { formats, texts }: Struck): readonly string[] {
  if (formats.size === 0 && texts.size === 0 && !STRIKE.test(sheet)) return [];
  return sheet.split(/<(?:\w+:)?c\s/).flatMap((cell, at) => {
    const start = /^[^<>]*(?<!\/)>/.exec(cell)?.[0];
    const reference = /(?:^|\s)r=["']([A-Z]+\d+)/.exec(start ?? '')?.[1];
    if (at === 0 || start === undefined || reference === undefined) return [];
    const format = Number(/(?:^|\s)s=["'](\d+)/.exec(start)?.[1] ?? 0);
    const text = /<(?:\w+:)?v(?:\s[^<>]*)?>\s*(\d+)/.exec(cell.slice(start.length, VALUE_LENGTH))?.[1];
    const isShared = /(?:^|\s)t=["']s["']/.test(start) && texts.has(Number(text));
    const isStruck = isShared || STRIKE.test(cell) || formats.has(format);
    return isStruck && /<(?:\w+:)?(?:v|is)[\s>]/.test(cell) ? [reference] : [];
  });
}

function sectionOf(part: string, name: string): string {
  const [, section = ''] = part.split(new RegExp(String.raw`<(?:\w+:)?${name}[\s>]`), 2);
  return section.split(new RegExp(String.raw`</(?:\w+:)?${name}\s*>`), 1)[0]!;
}

/** Which of the elements that begin so are struck through, from 0. */
function struckParts(section: string, start: RegExp): ReadonlySet<number> {
  if (!STRIKE.test(section)) return new Set();
  return new Set(section.split(start).flatMap((part, at) => (at > 0 && STRIKE.test(part) ? [at - 1] : [])));
}
