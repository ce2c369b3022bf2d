import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import { openRegexCrate, type Regex } from './regex-crate.ts';
import { check, compile, compilePatterns, runsOf, tryCompile } from './regex-policy.fixture.ts';
import { readRegexShape, type RegexShape } from './regex-shape.ts';
import { throughPauses } from '../regex-memo.ts';
import { matchesSlot, type RegexSlot } from '../regexes.ts';
import { findParseError, RegexBank, RegexMemory } from './regex.ts';

fc.configureGlobal({ seed: SEED });

describe('REGEX', () => {
  covers('AUTHZ-M.3');
  it.each([
    ['^$', '', true],
    ['b', 'abc', true],
    ['^b', 'abc', false],
    ['(?i)É', 'é', true],
    ['^.$', '\n', false],
    ['(?s)^.$', '\n', true],
    ['(?m)^b$', 'a\nb', true],
    ['^\\d+$', '٣', true],
    ['^(?-u:\\w+)$', 'é', false],
    ['\\bfoo\\b', 'a foo.', true],
    ['^[[:alpha:]&&[^x]]$', 'x', false],
    ['^\\p{Greek}$', 'δ', true],
  ])('REGEX decides `%s` on `%s` as %s', (pattern, value, allowed) => {
    covers('AUTHZ-D.12');
    expect(check(pattern, value)).toMatchObject({ allowed, problems: [] });
  });

  it.each(['(', '[a', '(?=a)', '\\1', '(?P<a', '\\p{None}', '[z-a]', 'a{2,1}', '\\'])(
    'REGEX fails closed on `%s`',
    (pattern) => {
      expect(findParseError(pattern, readRegexShape(pattern))).not.toBeNull();
      expect(check(pattern, '').problems).toHaveLength(1);
    },
  );

  const many = 'a'.repeat(30_000);
  it.each([
    ['^(a+)+$', false],
    ['^([a-z]|aa)+!$', true],
    ['(.*a){20}$', false],
    ['(x+x+)+y', false],
  ])('REGEX decides `%s` at once where a backtracking engine would hang', (pattern, allowed) => {
    covers('AUTHZ-D.12');
    expect(check(pattern, `${many}!`)).toMatchObject({ allowed, problems: [] });
  });

  it.each(['a{1000}{1000}', '\\pL{1000}{100}', '.{100000}', `${'('.repeat(300)}${')'.repeat(300)}`])(
    'REGEX fails closed on a pattern beyond the compile limits: %#',
    (pattern) => {
      expect(check(pattern, 'a')).toMatchObject({ allowed: false, problems: [{ code: 'bad_pattern' }] });
    },
  );

  it('REGEX fails closed where a large pattern meets a long value', () => {
    const pattern = `(?:${'[ab]{30}c?'.repeat(20)})$`;
    expect(check(pattern, 'a'.repeat(600)).problems).toEqual([]);
    expect(check(pattern, 'a'.repeat(32_000))).toMatchObject({
      allowed: false,
      problems: [{ code: 'match_too_costly' }],
    });
  });

  const atom = fc.constantFrom(
    'a',
    'b',
    'é',
    '/',
    '\\.',
    '.',
    '.*',
    '.+',
    '[ab]',
    '[^a]',
    '[]a]',
    'a*',
    'b?',
    '(?:a|b)',
    '(ab)',
    '\\w',
    '\\n',
    'a{2}',
    '^',
    '$',
    '|',
    '(?i:A)',
    '(?m)',
    '\\A',
    '\\z',
    '\\b',
    '(?s).',
    '.*',
    '^',
    '$',
    ')',
    '(',
    '[[:alpha:]-]',
    'ab',
    '\\/',
    '{',
    '\\x61',
    '\\pL',
    'k',
    'ж',
    '一',
    '(?i)',
    '(?-i)',
    '(?i:k+)',
    '(?i:é|s)',
    '(?i)\\x{E9}',
    '\\u00E9',
    '(?i)[a-k]',
    '(?i)[^k]',
    '(?i:\\p{Lu})',
    '\\P{Greek}',
    '\\W',
    '\\d+',
    '\\s',
    '\\S{2}',
    '\\w{1,3}',
    '[\\w--[é\\d]]',
    '[\\p{L}&&[^ж]]',
    '[^\\w~~é]',
    '[à-ü]',
    '[\\x{400}-\\x{4FF}]',
    '(?s:.)',
    '(?R).',
    '(?Rm)$',
    '(?s-i)',
    '(?U).+',
    '(?-u:\\w)',
    '(?-u:é)',
    '(?-u:\\b)',
    '\\B',
    '\\b{start}',
    '\\>',
    '((?i)k|s)',
    '[\t-a]',
    '\x01',
    '[\\x01-\\x1f]',
    '\\a',
    '(?-u:[\\x00-\\x20])',
    '\\x02',
  );
  const literalish = fc.tuple(
    fc.constantFrom('^', '\\A', ''),
    fc.constantFrom('a', 'a/', '.*', ''),
    fc.constantFrom('.*', 'é', ''),
    fc.constantFrom('$', '\\z', ''),
  );
  const regexes = fc
    .oneof({ weight: 4, arbitrary: fc.array(atom, { maxLength: 6 }) }, { weight: 2, arbitrary: literalish })
    .map((all) => all.join(''));
  const value = fc
    .array(
      fc.oneof(
        { weight: 3, arbitrary: fc.constantFrom('a', 'b', 'é', '/', '.', '\n', 'ab', 'A', '') },
        {
          weight: 2,
          arbitrary: fc.constantFrom(
            ...'\u0001\u0002\u0007\u000e\u001f\u007fkKſKsÉжЖ一二δΔ٣αüß\r\u2028\u00a0\u0080\u0621\u0301∀😀₂',
          ),
        },
        { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }) },
        { weight: 1, arbitrary: fc.constant('\ud800') },
      ),
      { maxLength: 5 },
    )
    .map((all) => all.join(''));

  it(`REGEX warns about the shape of a pattern only where the crate agrees`, () => {
    const kinds: Record<string, number> = {};
    const tails = { skipped: 0, cut: 0 };
    fc.assert(
      fc.property(regexes, fc.array(value, { minLength: 12, maxLength: 12 }), (regex, values) => {
        const shape = readRegexShape(regex);
        const compiled = tryCompile(regex);
        const { compiledOnce, free } = compileOnce();
        expect([regex, findParseError(regex, shape) === null]).toEqual([regex, compiled !== null]);
        if (compiled === null || shape === null) return;
        const { skip, form } = shape.tail;
        kinds[shape.literal?.kind ?? 'other'] = (kinds[shape.literal?.kind ?? 'other'] ?? 0) + 1;
        for (const each of [
          ...values,
          ...values.map((text) => shape.prefix + text),
          shape.literal?.text ?? '',
        ]) {
          const matched = compiled.isMatch(each);
          if (matched) agree(each.startsWith(shape.prefix), true, [regex, each]);
          if (shape.literal !== null) agree(meaning(shape.literal, each), matched, [regex, each]);
          if (!each.startsWith(shape.prefix)) continue;
          for (const [text, run] of runsOf(shape.tail, each.slice(skip)))
            agree(compiledOnce(text).isMatch(run), matched, [regex, each, text, run]);
        }
        if (skip > 0) tails.skipped += 1;
        if (form !== null && form.parts.length > 1) tails.cut += 1;
        compiled.free();
        free();
      }),
      { numRuns: 1_500 },
    );
    for (const kind of ['exact', 'prefix', 'suffix', 'contains', 'line', 'other'])
      expect([kind, (kinds[kind] ?? 0) > 5]).toEqual([kind, true]);
    expect(Math.min(tails.skipped, tails.cut)).toBeGreaterThan(100);
  });

  it('REGEX decides each pattern of a domain as the crate does, whatever alphabets its values come in', () => {
    const memory = new RegexMemory(96_000_000);
    fc.assert(
      fc.property(
        fc.array(regexes, { minLength: 2, maxLength: 6 }),
        fc.array(value, { minLength: 8, maxLength: 8 }),
        (patterns, values) => {
          const bank = new RegexBank(memory);
          const made = patterns.flatMap((pattern) => {
            const shape = readRegexShape(pattern);
            const regex = shape && tryCompile(pattern);
            return regex ? [{ pattern, regex, slot: bank.add(pattern, shape) }] : [];
          });
          bank.build();
          for (const each of values) {
            const memo = new Map();
            for (const { pattern, regex, slot } of made)
              agree(matchesSlot(slot, each, memo), regex.isMatch(each), [patterns, pattern, each]);
          }
          bank.free();
          for (const { regex } of made) regex.free();
        },
      ),
      { numRuns: 600 },
    );
  });

  it('values beyond ASCII compile patterns with large counts of Unicode classes once', () => {
    covers('AUTHZ-D.22');
    const memory = new RegexMemory(96_000_000);
    const set = compilePatterns(
      Array.from({ length: 5 }, (_, i) => `^\\w{1,${300 - i}}$`),
      memory,
    );
    const letters = 'éжδ一אاदกあ한ßøłşğΩÆñçü';
    for (let i = 0; i < 50; i += 1) {
      const name = [...letters].slice(i % 20, (i % 20) + 4).join('') + 'a'.repeat(i);
      const values = new Map([['value', name]]);
      expect(set.evaluate(values)).toMatchObject({ allowed: true, problems: [] });
      values.set('value', `${name}∀`);
      expect(set.evaluate(values)).toMatchObject({ allowed: false, problems: [] });
    }
    // Nothing was compiled twice for lack of room, and no whole pattern, which takes 20 MB.
    expect(memory.turns).toBe(0);
    expect(memory.bytesHeld).toBeLessThan(20_000_000);
    set.free();
  });

  it.each([
    [`(?x) ^ \\w{1,60} $`, /without these flags/],
    ['^(?-u:é)\\w{60}$', /without these flags/],
  ])(
    'a pattern that only compiles as it is written is refused where that takes long: %s',
    (pattern, reason) => {
      covers('AUTHZ-D.22');
      expect(check('(?x) ^ [a-z\\d]{1,40} $ # a name', '٣').problems).toEqual([]);
      expect(check(pattern, 'é').problems).toMatchObject([{ code: 'bad_pattern', policy: 'p' }]);
      expect(check(pattern, 'é').problems[0]?.message).toMatch(reason);
    },
  );

  it('a set of policies that does not fit into the memory decides each time alike', () => {
    covers('AUTHZ-D.23');
    const memory = new RegexMemory(16_000_000);
    const part = '[a-z0-9-]{1,63}';
    const set = compilePatterns(
      Array.from({ length: 200 }, (_, i) => `^${part}(?:\\.${part}){1,4}\\.team-${i}$`),
      memory,
    );
    for (let round = 0; round < 3; round += 1) {
      for (const [host, allowed] of [
        ['build.host-1.team-7', true],
        ['build.host-1.team-700', false],
      ] as const)
        expect(set.evaluate(new Map([['value', host]]))).toMatchObject({ allowed, problems: [] });
    }
    expect(memory.turns).toBeGreaterThan(1);
    set.free();
  });

  it('a check that pauses before each set of regexes decides as one that does not', () => {
    covers('AUTHZ-D.23');
    let pauses = 0;
    fc.assert(
      fc.property(fc.array(regexes, { minLength: 2, maxLength: 6 }), value, (patterns, each) => {
        const set = compilePatterns(patterns, new RegexMemory(16_000_000));
        const context = new Map([['value', each]]);
        // Each time it is evaluated it may run one set.
        let left = 1;
        const memo = Object.assign(new Map(), { isTired: () => left-- <= 0 });
        const paused = throughPauses(() => set.evaluate(context, memo));
        let step = paused.next();
        for (; step.done !== true; step = paused.next()) {
          left = 1;
          pauses += 1;
        }
        expect(step.value).toEqual(set.evaluate(context));
        set.free();
      }),
      { numRuns: 300 },
    );
    expect(pauses).toBeGreaterThan(0);
  });

  it('letters of an alphabet under `(?i)` compile a set once for all values in it', () => {
    covers('AUTHZ-D.22');
    const memory = new RegexMemory(96_000_000);
    const departments = [
      'кадры',
      'финансы',
      'право',
      'сбыт',
      'склад',
      'наука',
      'охрана',
      'связь',
      'быт',
      'юг',
    ];
    const set = compilePatterns(
      Array.from({ length: 60 }, (_, i) => `(?i)^отделы/${departments[i % 10]}-${i}/[^/]+/отчёт-\\d+$`),
      memory,
    );
    const decide = (name: string) => set.evaluate(new Map([['value', `отделы/КАДРЫ-30/${name}/Отчёт-1`]]));
    const names = [
      'Сергей',
      'Ольга',
      'Пётр',
      'Юлия',
      'Щукин',
      'Эмма',
      'Цой',
      'Хаит',
      'Žižka',
      '李明',
      'Ωμεγα',
    ];
    for (const name of names) expect(decide(name)).toMatchObject({ allowed: true, problems: [] });
    const held = memory.bytesHeld;
    for (const name of names) expect(decide(name)).toMatchObject({ allowed: true, problems: [] });
    expect(memory.bytesHeld).toBe(held);
    set.free();
  });

  it('a domain of more different character classes than a check can look up is refused', () => {
    covers('AUTHZ-D.22');
    const patterns = Array.from({ length: 301 }, (_, i) => `^[^${String.fromCharCode(0x4e00 + i)}]+x$`);
    const { problems } = compilePatterns(patterns, new RegexMemory(0)).evaluate(new Map([['value', 'a']]));
    expect(problems).toMatchObject([{ code: 'bad_pattern', policy: 'p300' }]);
    expect(problems[0]?.message).toMatch(/different character classes/);
  });

  it('a value of very many different characters beyond ASCII fails closed', () => {
    covers('AUTHZ-D.22');
    const value = Array.from({ length: 20_000 }, (_, i) => String.fromCharCode(0x4e00 + i)).join('');
    expect(check('^[\\w.]+[^/]*\\S\\W?$', value).problems).toMatchObject([{ code: 'match_failed' }]);
  });

  const shapeOf = (pattern: string) => readRegexShape(pattern) as RegexShape;

  it('the cache of compiled regexes stays within its bound plus one compilation, and compiles evicted patterns again', () => {
    const bytesMax = 8_000_000;
    const memory = new RegexMemory(bytesMax);
    const banks: RegexBank[] = [];
    const slots: RegexSlot[] = [];
    for (let domain = 0; domain < 40; domain += 1) {
      const bank = new RegexBank(memory);
      slots.push(
        bank.add(`^d${domain}/[^/]{1,200}-${domain}$`, shapeOf(`^d${domain}/[^/]{1,200}-${domain}$`)),
      );
      bank.build();
      banks.push(bank);
    }
    for (let round = 0; round < 3; round += 1) {
      for (const [domain, slot] of slots.entries()) {
        expect(matchesSlot(slot, `d${domain}/é-${domain}`, new Map())).toBe(true);
        expect(matchesSlot(slot, `d${domain}/é-x`, new Map())).toBe(false);
        expect(memory.bytesHeld).toBeLessThanOrEqual(bytesMax + 1_000_000);
      }
    }
    expect(memory.turns).toBeGreaterThan(4);
    for (const bank of banks) bank.free();
  });

  it('an instance of the crate gives back the memory that compiling in it lost', async () => {
    const held = () => process.memoryUsage().external;
    const before = held();
    for (let i = 0; i < 20; i += 1) {
      const crate = openRegexCrate();
      const compiled = Array.from({ length: 40 }, () => new crate.RRegex('[^/]'));
      expect(compiled.every((regex) => regex.isMatch('é'))).toBe(true);
      expect(crate.bytes).toBeGreaterThan(10_000_000);
    }
    // When the collector runs by itself is nobody's promise. What the first run finds free, the second gives
    // back.
    for (let run = 0; run < 2; run += 1) {
      collectGarbage();
      await new Promise((resolve) => setImmediate(resolve));
    }
    // Twenty instances are more than 200 MB.
    expect(held() - before).toBeLessThan(150_000_000);
  });

  it('patterns that several domains share behind different prefixes compile once', () => {
    const memory = new RegexMemory(64_000_000);
    const bytesOf = (domains: number) => {
      for (let domain = 0; domain < domains; domain += 1) {
        const bank = new RegexBank(memory);
        const pattern = `^svc://domain-${domain}/reports/[0-9]+/[^/]+$`;
        const slot = bank.add(pattern, shapeOf(pattern));
        bank.build();
        expect(matchesSlot(slot, `svc://domain-${domain}/reports/7/x`, new Map())).toBe(true);
      }
      return memory.bytesHeld;
    };
    const one = bytesOf(1);
    expect(bytesOf(200)).toBeLessThanOrEqual(one + 100_000);
  });

  it('REGEX decides by a class at the maximum nesting depth', () => {
    const depth = 246;
    const pattern = `^x${'['.repeat(depth)}^a${']'.repeat(depth)}$`;
    expect(tryCompile(pattern)).not.toBeNull();
    expect(['xb', 'xa', 'xé'].map((value) => check(pattern, value).allowed)).toEqual([true, false, true]);
  });
});

/** Compares before it asks `expect`, which takes longer than the regexes, a hundred thousand times. */
function agree(actual: boolean, expected: boolean, about: readonly unknown[]): void {
  if (actual !== expected) expect([...about, actual]).toEqual([...about, expected]);
}

/** Runs the garbage collector, which Node hides unless asked. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** Compiles each text once, until it is freed. */
function compileOnce() {
  const compiled = new Map<string, Regex>();
  return {
    compiledOnce(text: string): Regex {
      const regex = compiled.get(text) ?? compile(text);
      compiled.set(text, regex);
      return regex;
    },
    free: () => compiled.forEach((regex) => regex.free()),
  };
}

function meaning({ kind, text }: { kind: string; text: string }, value: string): boolean {
  switch (kind) {
    case 'exact':
      return value === text;
    case 'prefix':
      return value.startsWith(text);
    case 'suffix':
      return value.endsWith(text);
    case 'contains':
      return value.includes(text);
    default:
      return value.startsWith(text) && !value.slice(text.length).includes('\n');
  }
}
