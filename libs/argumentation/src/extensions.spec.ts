import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import {
  completeExtensions,
  groundedExtension,
  preferredExtensions,
  stableExtensions,
} from './extensions.ts';
import type { ArgumentationFramework } from './framework.ts';

interface Example {
  name: string;
  /** Attacks as 'ab' for a attacks b. */
  framework: { arguments: string; attacks: string };
  grounded: string;
  complete: string[];
  preferred: string[];
  stable: string[];
}

/** Extensions as words of letters; '' is the empty extension. */
const EXAMPLES: Example[] = [
  {
    name: 'Dung 1995, Example 3: the last word in a dispute prevails',
    framework: { arguments: 'ijk', attacks: 'ij ji ki' },
    grounded: 'jk',
    complete: ['jk'],
    preferred: ['jk'],
    stable: ['jk'],
  },
  {
    name: 'Dung 1995, Example 9: the Nixon diamond',
    framework: { arguments: 'ab', attacks: 'ab ba' },
    grounded: '',
    complete: ['', 'a', 'b'],
    preferred: ['a', 'b'],
    stable: ['a', 'b'],
  },
  {
    name: 'Caminada 2006: floating acceptance, two rivals both attack a third that attacks a fourth',
    framework: { arguments: 'abcd', attacks: 'ab ba ac bc cd' },
    grounded: '',
    complete: ['', 'ad', 'bd'],
    preferred: ['ad', 'bd'],
    stable: ['ad', 'bd'],
  },
  {
    name: 'Caminada 2006, semi-stable example: an odd cycle behind one of two rivals',
    framework: { arguments: 'abcde', attacks: 'ab ba bc cd de ec' },
    grounded: '',
    complete: ['', 'a', 'bd'],
    preferred: ['a', 'bd'],
    stable: ['bd'],
  },
  {
    name: 'Baroni and Giacomin 2009, section 3: reinstatement along a chain',
    framework: { arguments: 'abc', attacks: 'ab bc' },
    grounded: 'ac',
    complete: ['ac'],
    preferred: ['ac'],
    stable: ['ac'],
  },
  {
    name: 'Baroni, Giacomin and Guida 2005: a cycle of three accepts nothing',
    framework: { arguments: 'abc', attacks: 'ab bc ca' },
    grounded: '',
    complete: [''],
    preferred: [''],
    stable: [],
  },
  {
    name: 'Baroni, Giacomin and Guida 2005: a cycle of four has its two halves',
    framework: { arguments: 'abcd', attacks: 'ab bc cd da' },
    grounded: '',
    complete: ['', 'ac', 'bd'],
    preferred: ['ac', 'bd'],
    stable: ['ac', 'bd'],
  },
  {
    name: 'Baroni, Giacomin and Guida 2005: what a cycle of three attacks stays undecided, and what that attacks too',
    framework: { arguments: 'abcde', attacks: 'ab bc ca cd de' },
    grounded: '',
    complete: [''],
    preferred: [''],
    stable: [],
  },
  {
    name: 'a self-attacker and what it attacks are not accepted',
    framework: { arguments: 'ab', attacks: 'aa ab' },
    grounded: '',
    complete: [''],
    preferred: [''],
    stable: [],
  },
  {
    name: 'a self-attacker is answered by its rival',
    framework: { arguments: 'ab', attacks: 'aa ab ba' },
    grounded: '',
    complete: ['', 'b'],
    preferred: ['b'],
    stable: ['b'],
  },
  {
    name: 'a self-attacker that is out does no harm',
    framework: { arguments: 'abc', attacks: 'aa ab ca' },
    grounded: 'bc',
    complete: ['bc'],
    preferred: ['bc'],
    stable: ['bc'],
  },
  {
    name: 'the empty framework has one extension, the empty one',
    framework: { arguments: '', attacks: '' },
    grounded: '',
    complete: [''],
    preferred: [''],
    stable: [''],
  },
  {
    name: 'without attacks everything is accepted',
    framework: { arguments: 'ba', attacks: '' },
    grounded: 'ab',
    complete: ['ab'],
    preferred: ['ab'],
    stable: ['ab'],
  },
];

const letters = (word: string) => [...word];
const frameworkOf = ({ framework }: Example): ArgumentationFramework => ({
  arguments: letters(framework.arguments),
  attacks: framework.attacks
    .split(' ')
    .filter((word) => word !== '')
    .map(([from, to]): [string, string] => [from!, to!]),
});

describe('published and elementary examples', () => {
  covers('RM-0.17', 'RM-0.18');
  it.each(EXAMPLES)('$name', (example) => {
    const framework = frameworkOf(example);
    expect(groundedExtension(framework)).toEqual(letters(example.grounded));
    expect(completeExtensions(framework)).toEqual(example.complete.map(letters));
    expect(preferredExtensions(framework)).toEqual(example.preferred.map(letters));
    expect(stableExtensions(framework)).toEqual(example.stable.map(letters));
  });
});

describe('order', () => {
  covers('RM-0.18');
  it('extensions list members by UTF-16 code units and are sorted lexicographically, whatever the input order', () => {
    const framework: ArgumentationFramework = {
      arguments: ['é', 'z', 'Z', 'a10', 'a9', '\u{1F600}', '\uFB01'],
      attacks: [
        ['z', 'Z'],
        ['Z', 'z'],
      ],
    };
    const rest = ['a10', 'a9'];
    const last = ['é', '\u{1F600}', '\uFB01'];
    expect(preferredExtensions(framework)).toEqual([
      ['Z', ...rest, ...last],
      [...rest, 'z', ...last],
    ]);
    expect(completeExtensions(framework)).toEqual([
      ['Z', ...rest, ...last],
      [...rest, 'z', ...last],
      [...rest, ...last],
    ]);
  });

  it('arguments may be named like object properties', () => {
    expect(
      preferredExtensions({
        arguments: ['__proto__', 'constructor'],
        attacks: [['__proto__', 'constructor']],
      }),
    ).toEqual([['__proto__']]);
  });
});

describe('bad frameworks', () => {
  const semantics = { groundedExtension, completeExtensions, preferredExtensions, stableExtensions };

  it.each(Object.entries(semantics))('%s takes an attack listed twice for one', (_, extensions) => {
    const attacks: [string, string][] = [
      ['b', 'a'],
      ['a', 'b'],
      ['c', 'c'],
      ['b', 'c'],
    ];
    const framework = { arguments: ['a', 'b', 'c'], attacks };
    expect(extensions({ ...framework, attacks: [...attacks, ...attacks] })).toEqual(extensions(framework));
  });

  it.each(Object.entries(semantics))('%s names the attack or argument that is wrong', (_, extensions) => {
    expect(() => extensions({ arguments: ['a'], attacks: [['a', 'b']] })).toThrow(
      new TypeError('attacks[0] = ["a","b"] names "b", which is not an argument.'),
    );
    expect(() => extensions({ arguments: ['a', 'a'], attacks: [] })).toThrow(
      new TypeError('The argument "a" is listed twice.'),
    );
    expect(() => extensions({ arguments: ['a'], attacks: [['a'] as unknown as [string, string]] })).toThrow(
      new TypeError('attacks[0] = ["a"] is not a pair [attacker, attacked].'),
    );
    expect(() => extensions({ arguments: [1 as unknown as string], attacks: [] })).toThrow(TypeError);
  });
});

describe('large frameworks that decompose', () => {
  covers('RM-7.19');
  const names = Array.from({ length: 100_000 }, (_, k) => `a${String(k).padStart(6, '0')}`);
  const chain = names.slice(1).map((name, k): [string, string] => [names[k]!, name]);
  const everyOther = names.filter((_, k) => k % 2 === 0);

  it('a chain of 100,000 attacks is decided without recursion', () => {
    const framework = { arguments: names, attacks: chain };
    expect(groundedExtension(framework)).toEqual(everyOther);
    expect(preferredExtensions(framework)).toEqual([everyOther]);
    expect(completeExtensions(framework)).toEqual([everyOther]);
    expect(stableExtensions(framework)).toEqual([everyOther]);
  });

  it('a cycle of 5,000 has its two halves as extensions, and a cycle of 5,001 has none', () => {
    const cycle = (size: number) => ({
      arguments: names.slice(0, size),
      attacks: [...chain.slice(0, size - 1), [names[size - 1]!, names[0]!] as [string, string]],
    });
    const even = everyOther.slice(0, 2_500);
    const odd = names.slice(0, 5_000).filter((_, k) => k % 2 === 1);
    expect(preferredExtensions(cycle(5_000))).toEqual([even, odd]);
    expect(preferredExtensions(cycle(5_001))).toEqual([[]]);
    expect(stableExtensions(cycle(5_000))).toEqual([even, odd]);
  });

  it('contradiction among 2,000 arguments with 3 values is solved in closed form', () => {
    const size = 2_000;
    const attacks: [string, string][] = [];
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) if (a % 3 !== b % 3) attacks.push([names[a]!, names[b]!]);
    }
    const byValue = [0, 1, 2].map((value) => names.slice(0, size).filter((_, k) => k % 3 === value));
    expect(preferredExtensions({ arguments: names.slice(0, size), attacks })).toEqual(byValue);
  });
});
