import { describe, expect, it } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { citationsIn, cover, parseRequirements, readCoverage, strayIdsIn } from './requirements.ts';

const fixture = (name: string) => fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url));

const group = (status: string, ids: string[]) =>
  `prefix: ABC\ngroups:\n  - name: g\n    source: s\n    ${status}\n    requirements:\n` +
  ids.map((id) => `      ${id}: text\n`).join('');

describe('requirement gate', () => {
  const { requirements, coverage } = readCoverage([fixture('requirements.yaml')], [fixture('tests.txt')]);

  it('the requirement gate reads id, text, source and status', () => {
    expect(requirements[0]).toMatchObject({
      id: 'FIX-R1.1',
      text: 'A cited rule.',
      source: 'fixture.md, rules',
      status: 'active',
    });
  });

  it('the requirement gate finds active requirements that no test cites', () => {
    expect(coverage.uncovered.map(({ id }) => id)).toEqual(['FIX-R1.2']);
  });

  it('the requirement gate finds citations of ids that do not exist', () => {
    expect(coverage.unknown.map(({ id }) => id)).toEqual(['FIX-R9.9']);
  });

  it('the requirement gate finds planned requirements that a test already cites', () => {
    expect(coverage.early.map(({ id }) => id)).toEqual(['FIX-R2.1']);
  });

  it('the requirement gate passes when every active requirement is cited and nothing else', () => {
    const active = parseRequirements('x', group('status: active', ['ABC-1']));
    expect(cover(active, [{ id: 'ABC-1', file: 'x.spec.ts' }])).toMatchObject({
      uncovered: [],
      unknown: [],
      early: [],
    });
  });
});

describe('citationsIn', () => {
  it('citationsIn returns ids in quotes of their own, each once', () => {
    const text = `covers('ABC-R1.2', 'ABC-F.Claim.scope'); [['ABC-R1.2', 7], ['ABC-3']]; // ABC-4`;
    expect(citationsIn('f', text, ['ABC']).map(({ id }) => id)).toEqual([
      'ABC-R1.2',
      'ABC-F.Claim.scope',
      'ABC-3',
    ]);
  });

  it('citationsIn returns no id that the text does not spell out', () => {
    expect(citationsIn('f', 'covers(`ABC-F.${field}`, "X-ABC-2", "ABC-F1." + field)', ['ABC'])).toEqual([]);
  });
});

describe('strayIdsIn', () => {
  it('strayIdsIn finds ids in titles and leaves those in calls and comments', () => {
    const title = `'ignores the author (ABC-R1.2)'`;
    const text = `it(${title}, () => covers('ABC-R1.2')); // see ABC-R1.2`;
    expect(strayIdsIn(text, ['ABC'])).toEqual([title]);
  });
});

describe('parseRequirements', () => {
  it.each([
    ['an id twice', group('status: active', ['ABC-1', 'ABC-1']), /unique/],
    ['an id of another prefix', group('status: active', ['XYZ-1']), /does not start with `ABC-`/],
    ['planned without a reason', group('status: planned', ['ABC-1']), /without a reason/],
    ['an unknown status', group('status: done', ['ABC-1']), /neither active nor planned/],
    ['no groups', 'prefix: ABC', /needs a prefix and groups/],
    [
      'no text',
      'prefix: A\ngroups: [{name: g, source: s, status: active, requirements: {A-1: null}}]',
      /no text/,
    ],
  ])('parseRequirements refuses %s', (_, text, message) => {
    expect(() => parseRequirements('x.yaml', text)).toThrow(message);
  });
});

describe('the YAML of requirements', () => {
  const withLine = (line: string) => `${group('status: active', ['ABC-1'])}      ${line}\n`;

  it.each([
    ['a colon in a text without quotes', 'ABC-2: a text: with a colon', /^docs\/x\.yaml:8: Nested mappings/],
    ['a text that begins with a backtick', 'ABC-2: `x` is set', /^docs\/x\.yaml:8: Plain value/],
    ['a quote without its end', "ABC-2: 'x", /^docs\/x\.yaml:\d+: Missing closing/],
    ['a tag', 'ABC-2: !x y', /^docs\/x\.yaml:8: Unresolved tag/],
    ['a text that a comment cuts', 'ABC-2: the fragment #code=x', /^docs\/x\.yaml:8: text after ` #`/],
    ['an id twice', 'ABC-1: text', /^docs\/x\.yaml:8: Map keys must be unique/],
  ])('requirements with %s are refused with file and line', (_, line, message) => {
    expect(() => parseRequirements('docs/x.yaml', withLine(line))).toThrow(message);
  });

  it('a text in quotes may have a colon and a hash', () => {
    const text = withLine("ABC-2: 'a: b #c'");
    expect(parseRequirements('docs/x.yaml', text).map((requirement) => requirement.text)).toContain(
      'a: b #c',
    );
  });
});
