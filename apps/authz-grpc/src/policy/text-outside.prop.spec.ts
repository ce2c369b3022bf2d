import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import { soak } from '@platform/testing/soak';
import fc from 'fast-check';
import { FactReader, matches, type FactRule } from './facts.ts';
import { textOutside, textsFrom, textsOf } from './text-outside.ts';
import type { Engine } from './types.ts';

fc.configureGlobal({ seed: SEED });

const names = fc
  .array(fc.constantFrom('a', 'b', '*', '?', '[ab]', '[!a]', '[a-c]'), { maxLength: 3 })
  .map((all) => all.join('').replace(/\*+/g, '*'));
const globs = fc
  .array(fc.oneof(names, fc.constant('**')), { minLength: 1, maxLength: 3 })
  .map((all) => all.join('/'));
const rules = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant<Engine>('glob'), globs) },
  fc.tuple(
    fc.constantFrom<Engine>('fixed', 'prefix'),
    fc.string({ unit: fc.constantFrom('a', 'b', '/'), maxLength: 3 }),
  ),
);

/** Every text of up to five of these characters. */
const TEXTS = ['', ...Array.from({ length: 5 })].reduce<string[]>(
  (all) => ['', ...all.flatMap((text) => ['a', 'c', '/'].map((char) => text + char))],
  [''],
);

function ruleOf([engine, pattern]: readonly [Engine, string]): FactRule {
  const reader = new FactReader();
  const statements = [{ rules: { action: pattern } }];
  const policy = { name: 'p', description: '', deny: false, invert: false, engine, statements };
  const [fact] = reader.read([policy]).values();
  reader.build();
  return fact!.statements[0]!.rules[0]!;
}

const NOBODY = { user: undefined, owner: undefined };

it('a text outside others is of the one pattern and of none of them, and there is one where any short text is', () => {
  covers('AUTHZ-C.13');
  const found = { text: 0, none: 0 };
  fc.assert(
    fc.property(rules, fc.array(rules, { minLength: 1, maxLength: 2 }), (one, others) => {
      const [own, ...rest] = [one, ...others].map(ruleOf);
      const text = textOutside(
        textsOf(own!)!,
        rest.map((other) => textsOf(other)!),
      );
      const isOutside = (candidate: string) =>
        matches(own!, candidate, NOBODY) && !rest.some((other) => matches(other, candidate, NOBODY));
      expect(text).toBeDefined();
      if (typeof text === 'string')
        expect([one, others, text, isOutside(text)]).toEqual([one, others, text, true]);
      else expect([one, others, TEXTS.find(isOutside)]).toEqual([one, others, undefined]);
      found[text === null ? 'none' : 'text'] += 1;
    }),
    { numRuns: soak(10_000) },
  );
  expect(Math.min(found.text, found.none)).toBeGreaterThan(soak(1_000));
});

it.each<[string, string, string | null]>([
  ['docs/*', 'docs/**', null],
  ['docs/**', 'docs/*', 'docs//'],
  ['docs/**/*', 'docs/**', null],
  ['docs/**', 'docs/**/*', null],
  ['a?c', 'a*c', null],
  ['**/x', '*/x', 'x'],
])('the glob `%s` has outside the glob `%s` the text %j', (one, other, text) => {
  covers('AUTHZ-C.13');
  const texts = (pattern: string) => textsOf(ruleOf(['glob', pattern]))!;
  expect(textOutside(texts(one), [texts(other)])).toBe(text);
});

it('no pattern but one of all texts leaves no text outside', () => {
  covers('AUTHZ-C.13');
  expect(textOutside(textsFrom(''), [textsOf(ruleOf(['glob', '*']))!])).toBe('/');
  expect(textOutside(textsFrom(''), [textsOf(ruleOf(['glob', '**']))!])).toBeNull();
});

it('the search for a text outside others ends when its steps are used up', () => {
  covers('AUTHZ-C.16');
  const others = Array.from({ length: 40 }, (_, n) =>
    textsOf(ruleOf(['glob', `*${n}-${'longer'.repeat(n)}*`]))!,
  );
  const steps = { left: 20_000 };
  expect(textOutside(textsFrom(''), others, steps)).toBe('');
  expect(steps.left).toBeLessThan(20_000);
  expect(textOutside(textsFrom(''), others, { left: 0 })).toBeUndefined();
});
