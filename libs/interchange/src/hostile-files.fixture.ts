import { workbook } from '@platform/testing/workbook';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { writeFile } from './files.ts';
import { IMPORT_FORMATS, type ImportFormat } from './formats.ts';
import { BRIDGE, judge, partsOf } from './judged.fixture.ts';
import { ANNOTATION, BUNDLE, ENTITY, EVENT } from './other-tools.fixture.ts';

/** A file that somebody sends. */
export interface HostileFile {
  readonly format: ImportFormat;
  readonly name: string;
  readonly bytes: Uint8Array;
}

const judged = judge(BRIDGE);

/** A good file of each format, to be damaged. */
export const GOOD: Readonly<Record<ImportFormat, Uint8Array>> = {
  claimreview: writeFile('claimreview', { ...judged, presentation: { publisher: 'Desk' } }, partsOf(judged)),
  aif: writeFile('aif', judged, partsOf(judged)),
  hypothesis: strToU8(JSON.stringify({ rows: [ANNOTATION] })),
  wikidata: strToU8(JSON.stringify(ENTITY)),
  stix: strToU8(JSON.stringify(BUNDLE)),
  misp: strToU8(JSON.stringify(EVENT)),
  json: writeFile('json', judged, partsOf(judged)),
  xlsx: workbook({
    Claims: [
      ['source', 'subject', 'predicate', 'value'],
      ['A', 'b', 'c', 1],
    ],
  }),
};

/** The formats that are JSON, with a good value of each; two of ours, whose investigation is attached. */
export const JSON_FORMATS = IMPORT_FORMATS.filter((format) => format !== 'xlsx');
const valueOf = (bytes: Uint8Array) => JSON.parse(strFromU8(bytes)) as unknown;
const OURS = (['stix', 'misp'] as const).map(
  (format) => [format, valueOf(writeFile(format, judged, partsOf(judged)))] as const,
);

const LONE = '\ud800';
/** What stands where another type, length or range is meant. */
const WRONG_VALUES: readonly unknown[] = [
  null,
  [],
  {},
  true,
  0,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  '',
  ' ',
  '\u0000',
  LONE,
  '9'.repeat(400),
  '__proto__',
  '2024-13-45T99:99:99Z',
  { '@id': '#a' },
  { __proto__: null, constructor: { prototype: 1 }, toString: 1, length: -1 },
  [[[[1]]]],
  [null],
];

/** Every file with one value of a good one replaced: each place of it by each wrong value. */
export function* mistyped(): Generator<HostileFile> {
  const goods = [...JSON_FORMATS.map((format) => [format, valueOf(GOOD[format])] as const), ...OURS];
  for (const [format, good] of goods)
    for (const path of placesIn(good))
      for (const [index, wrong] of WRONG_VALUES.entries())
        yield {
          format,
          name: `wrong value ${index} at ${path.join('.') || '$'}`,
          bytes: strToU8(JSON.stringify(replaced(good, path, wrong))),
        };
}

function placesIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => placesIn(child, [...path, key]))];
}

function replaced(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const child = (value as Record<string, unknown>)[key];
  if (Array.isArray(value))
    return value.map((item, at) => (String(at) === key ? replaced(item, rest, by) : item));
  return { ...(value as object), [key]: replaced(child, rest, by) };
}

/** What people have sent to readers of files, one by one. */
export function handMade(): HostileFile[] {
  const texts: readonly (readonly [name: string, text: string | Uint8Array])[] = [
    ['nothing', ''],
    ['blanks', ' \n\t '],
    ['a byte order mark alone', '\ufeff'],
    ['NUL bytes', '\u0000'.repeat(1_000)],
    ['nested lists', '['.repeat(200_000)],
    ['nested lists that are closed', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['nested objects', '{"@graph":'.repeat(5_000)],
    ['nested objects of the format', '{"objects":[{"Event":{"rows":[{"target":'.repeat(500)],
    [
      'a reference to itself',
      '{"@graph":[{"@id":"#a","@type":"ClaimReview","claimReviewed":"x","author":{"@id":"#a"},"itemReviewed":{"@id":"#a"},"reviewRating":{"@id":"#a"}}]}',
    ],
    ['open script blocks', '<script type="application/ld+json">'.repeat(2_000)],
    ['an endless tag', `<script ${'a'.repeat(200_000)}`],
    ['an entity bomb', `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(100)}"><!ENTITY b "&a;&a;&a;">]><x>&b;</x>`],
    ['a huge number', `{"objects":${'9'.repeat(100_000)}}`],
    ['a huge exponent', '{"rows":[1e999999,-1e999999]}'],
    ['NaN', '{"rows":[NaN]}'],
    ['a key named a thousand times', `{${'"claims":{},'.repeat(1_000)}"id":"Q1"}`],
    ['a text that ends nowhere', '{"rows":["'],
    ['a lone surrogate', '{"rows":["\\ud800"],"\\udfff":1}'],
    [
      'keys of prototypes',
      '{"__proto__":{"rows":[1]},"constructor":{"prototype":{"objects":[1]}},"hasOwnProperty":1}',
    ],
    ['bytes that are not UTF-8', new Uint8Array([0x7b, 0xff, 0xfe, 0xc3, 0x28, 0x7d])],
    ['an overlong encoding', new Uint8Array([0x22, 0xc0, 0x80, 0x22])],
    ['a picture', new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0x0d])],
    ['a program', new Uint8Array([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0])],
    ['a zip', zipSync({ 'a.txt': strToU8('a') })],
    ['a page', '<!doctype html><title>x</title>'],
    ['a number', '1'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['an empty list', '[]'],
    ['an empty object', '{}'],
  ];
  const files: HostileFile[] = IMPORT_FORMATS.flatMap((format) =>
    texts.map(([name, text]) => ({ format, name, bytes: typeof text === 'string' ? strToU8(text) : text })),
  );
  for (const format of IMPORT_FORMATS) {
    const good = GOOD[format];
    const add = (name: string, bytes: Uint8Array) => files.push({ format, name, bytes });
    for (const share of [0.1, 0.5, 0.9, 0.99])
      add(`the first ${share} of a file`, good.slice(0, good.length * share));
    add('a file twice', Buffer.concat([good, good]));
    add('a file behind a byte order mark', Buffer.concat([strToU8('\ufeff'), good]));
    if (format === 'xlsx') continue;
    const text = strFromU8(good);
    add('a file in UTF-16', Buffer.from(text, 'utf16le'));
    add(
      'a file in UTF-16 with its mark',
      Buffer.concat([new Uint8Array([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
    );
    add(
      'a file in which every id is the same',
      strToU8(text.replaceAll(/("(?:id|uuid|nodeID|@id)"\s*:\s*)"[^"]*"/g, '$1"x"')),
    );
    add('a file with lone surrogates in every text', strToU8(text.replaceAll(/: ?"/g, ':"\\ud800')));
    add(
      'a file in which keys name prototypes',
      strToU8(text.replaceAll(/"(?:id|type|name|value)"(\s*:)/g, '"__proto__"$1')),
    );
  }
  const parts = unzipSync(GOOD.xlsx);
  const xlsx = (name: string, bytes: Uint8Array) => files.push({ format: 'xlsx', name, bytes });
  const sheet = 'xl/worksheets/sheet1.xml';
  const withSheet = (xml: string) => zipSync({ ...parts, [sheet]: strToU8(xml) });
  const cells = strFromU8(parts[sheet]!);
  xlsx('a bomb', zipSync({ ...parts, 'xl/bomb.xml': new Uint8Array(70_000_000) }));
  xlsx(
    'a bomb in small parts',
    zipSync({
      ...parts,
      ...Object.fromEntries(Array.from({ length: 1_200 }, (_, n) => [`xl/${n}.xml`, strToU8('a')])),
    }),
  );
  xlsx('a bomb that states a small size', lyingZip(parts));
  xlsx(
    'entities',
    zipSync({
      ...parts,
      'xl/workbook.xml': strToU8('<!DOCTYPE x [<!ENTITY a "aaaa">]><workbook>&a;</workbook>'),
    }),
  );
  xlsx('no sheet', zipSync(Object.fromEntries(Object.entries(parts).filter(([name]) => name !== sheet))));
  xlsx('an empty sheet', withSheet(''));
  xlsx('a sheet that is not XML', withSheet('hello'));
  xlsx('a cell of another planet', withSheet(cells.replace('r="A1"', 'r="ZZZZ99999999"')));
  xlsx(
    'a range of all cells',
    withSheet(cells.replace(/<dimension ref="[^"]*"/, '<dimension ref="A1:XFD1048576"')),
  );
  xlsx('a shared text that is not there', withSheet(cells.replace(/<v>\d+<\/v>/, '<v>99999999</v>')));
  xlsx('a number too large', withSheet(cells.replace(/<v>1<\/v>/, '<v>1e400</v>')));
  xlsx('a path out of the zip', zipSync({ ...parts, '../../etc/passwd.xml': strToU8('x') }));
  return files;
}

/** A zip whose directory says that a part of 70 MB has 10 bytes. */
function lyingZip(parts: Record<string, Uint8Array>): Uint8Array {
  const size = 70_000_000;
  const zip = Buffer.from(zipSync({ ...parts, 'xl/bomb.xml': new Uint8Array(size) }));
  const real = Buffer.alloc(4);
  real.writeUInt32LE(size);
  const small = Buffer.alloc(4);
  small.writeUInt32LE(10);
  for (let at = zip.indexOf(real); at !== -1; at = zip.indexOf(real, at + 4)) small.copy(zip, at);
  return new Uint8Array(zip);
}
