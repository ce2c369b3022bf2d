import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { contextOf } from './arguments.ts';
import { UsageError } from './exit-codes.ts';
import { HIDDEN } from './output.ts';
import { readPolicyFile, toMessages, toYaml } from './policy-file.ts';

fc.configureGlobal({ seed: SEED });

describe('a policy file', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'policy-file-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const read = (text: string) => {
    const path = join(folder, 'policies.yaml');
    writeFileSync(path, text);
    return readPolicyFile(path);
  };

  it('a policy file keeps every rule of every attribute, because a policy with one rule less would match more', async () => {
    const { policies, tests } = await read(`
policies: [{ name: p, engine: fixed, statements: [{ rules: { subject: bob, __proto__: x, constructor: y } }] }]
tests: [{ name: t, context: { subject: bob, __proto__: [x, z] }, expected: allow }]`);
    const [policy] = toMessages(policies);
    expect([...(policy?.statements[0]?.rules ?? [])]).toEqual([
      ['subject', 'bob'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]);
    expect([...(tests[0]?.context ?? [])]).toEqual([
      ['subject', 'bob'],
      ['__proto__', ['x', 'z']],
    ]);
  });

  it.each([
    [
      'a rule',
      'engine: fixed, statements: [{ rules: { subject: 12 } }]',
      '',
      /rules\.subject: must be a text: put it in quotation marks/,
    ],
    ['an engine', 'engine: Fixed, statements: []', '', /engine: must be one of fixed, prefix, regex, glob/],
    [
      'an expectation',
      'engine: fixed, statements: []',
      '{ name: t, context: {}, expected: Allow }',
      /expected: must be one of allow, deny/,
    ],
  ])(
    '%s of another form than a policy file has is named with what it must be',
    async (_of, policy, test, words) => {
      covers('AUTHZ-CLI.85');
      await expect(read(`policies: [{ name: p, ${policy} }]\ntests: [${test}]`)).rejects.toThrow(words);
    },
  );

  it('a policy set printed as YAML reads back the same and shows every character', async () => {
    covers('AUTHZ-CLI.10');
    const marks = [
      '\u007f',
      '\u009b',
      '\u202e',
      '\u200d',
      '\u{e0041}',
      '\ufeff',
      '\n',
      '"',
      "'",
      '\\',
      '# ',
      ': ',
    ];
    const texts = fc
      .array(fc.oneof(fc.constantFrom(...marks), fc.string({ unit: 'grapheme' })), { minLength: 1 })
      .map((parts) => `a${parts.join('')}`);
    await fc.assert(
      fc.asyncProperty(texts, texts, texts, async (name, key, pattern) => {
        const statements = [{ rules: new Map([[key, pattern]]) }];
        const policy = {
          name,
          description: name,
          invert: false,
          deny: false,
          engine: 1 as const,
          statements,
        };
        const text = toYaml([policy]);
        expect(text.replaceAll('\n', '').search(HIDDEN)).toBe(-1);
        const { policies } = await read(text);
        expect(toMessages(policies)).toEqual([policy]);
      }),
    );
  });

  it('a policy file that is not UTF-8 is refused with the line, and no character is replaced', async () => {
    covers('AUTHZ-CLI.2');
    const path = join(folder, 'latin.yaml');
    writeFileSync(path, Buffer.from('policies:\n  - { name: Müller }\n', 'latin1'));
    await expect(readPolicyFile(path)).rejects.toThrow(
      new UsageError(`${path}:2: the file is not text in UTF-8: save it as UTF-8`),
    );
  });

  it.each([
    ['policies: [*nope]', ':1:12: no anchor `&nope` stands before this alias'],
    [
      `a: &a [${'x,'.repeat(20)}]\n${[...'bcdef'].map((name, n) => `${name}: &${name} [${`*${'abcde'[n]},`.repeat(20)}]\n`).join('')}policies: []`,
      ':2:8: the aliases of this file stand for too much: write it out',
    ],
  ])(
    'aliases of a policy file that cannot be followed are refused at their place: %j',
    async (text, problem) => {
      covers('AUTHZ-CLI.2');
      const error = await read(text).catch((caught: unknown) => caught);
      expect([error instanceof UsageError, String(error)]).toEqual([true, expect.stringContaining(problem)]);
    },
  );

  it('a policy file may name one anchored value as often as it likes', async () => {
    covers('AUTHZ-CLI.39');
    const names = Array.from({ length: 500 }, (_, n) => `p${n}`);
    const first = '{ name: p, engine: &f fixed, statements: &s [{ rules: { subject: bob } }] }';
    const rest = names.map((name) => `{ name: ${name}, engine: *f, statements: *s }`);
    const { policies } = await read(`policies: [${[first, ...rest].join(', ')}]`);
    expect(policies).toHaveLength(501);
    expect(policies.at(-1)).toMatchObject({
      name: 'p499',
      engine: 'fixed',
      statements: policies[0]!.statements,
    });
  });

  it('a policy file behind a stray line is refused with the first twenty problems and how many more', async () => {
    covers('AUTHZ-CLI.39');
    const entries = Array.from(
      { length: 300 },
      (_, n) =>
        `  - name: p${n}\n    engine: fixed\n    statements:\n      - rules:\n          subject: bob\n`,
    );
    const wrong = read(`\`\`\`yaml\n# of today\npolicies:\n${entries.join('')}\`\`\`\n`);
    const error = (await wrong.catch((one: unknown) => one)) as Error;
    const told = error.message.split('\n');
    expect(told.length).toBe(21);
    expect(told[20]).toMatch(/^and \d+ more problems$/);
  });

  it.each([
    ['statements: [{ rules: { subject: 7 } }]', ':1:71: policy `p`: statements.0.rules.subject: '],
    ['statements: [{ rules: [] }]', 'policy `p`: statements.0.rules: must be keys with values'],
    ['statements: [{ rule: {} }]', 'policy `p`: statements.0'],
    ['statements: [{ rules: { a: b, a: c } }]', ':1:68: Map keys must be unique'],
  ])('an error in a policy file that has %s names the place', async (statements, told) => {
    const wrong = read(`policies: [{ name: p, engine: fixed, ${statements} }]`);
    await expect(wrong).rejects.toThrow(UsageError);
    await expect(wrong).rejects.toThrow(told);
  });

  it('a policy file with several errors names each with its line', async () => {
    const wrong = read(`policies:
  - { name: readers, engine: fixd, statements: [] }
  - name: writers
    engine: glob
    statements: none
tests:
  - { name: bob reads, context: {}, expected: maybe }
`);
    const error = await wrong.catch((reason: unknown) => reason as UsageError);
    expect(
      (error as UsageError).message.split('\n').map((line) => line.replace(/^.*policies\.yaml/, '')),
    ).toEqual([
      expect.stringMatching(/^:2:30: policy `readers`: engine: /),
      expect.stringMatching(/^:5:17: policy `writers`: statements: /),
      expect.stringMatching(/^:7:47: test `bob reads`: expected: /),
    ]);
  });

  it.each(['a host name', '- readers', '', '7'])(
    'a file that is not a policy file is told what one has: %s',
    async (text) => {
      await expect(read(text)).rejects.toThrow('it must have `policies:` with a list');
    },
  );

  it('a file that is not there, and one of two documents, are refused in words of their own', async () => {
    await expect(readPolicyFile('/nowhere/p.yaml')).rejects.toThrow(
      new UsageError('/nowhere/p.yaml: there is no such file'),
    );
    await expect(read('policies: []\n---\npolicies: []\n')).rejects.toThrow(
      /:2:1: a second document begins here; a policy file is one$/,
    );
  });

  it('a policy file knows where each policy, statement and rule is, of two policies with one name as well', async () => {
    const { find } = await read(`policies:
  - { name: p, engine: fixed, statements: [] }
  - name: p
    engine: regex
    statements:
      - rules: { subject: a }
      - rules:
          subject: b
          action: (
`);
    const placeOf = (policyName: string, policyIndex?: number, statement?: number, key?: string) => {
      const { line, column } = find({ policyName, policyIndex, statement, key }) ?? {};
      return [line, column];
    };
    expect(placeOf('p', 0)).toEqual([2, 5]);
    expect(placeOf('p', 1)).toEqual([3, 5]);
    expect(placeOf('p', 1, 0)).toEqual([6, 9]);
    expect(placeOf('p', 1, 1, 'action')).toEqual([9, 19]);
    // What the file does not have is at the nearest part around it.
    expect(placeOf('p', 1, 1, 'object')).toEqual([8, 11]);
    // A service of before names the policy alone.
    expect(placeOf('p')).toEqual([2, 5]);
    expect(placeOf('q')).toEqual([undefined, undefined]);
  });
});

describe('attributes on the command line', () => {
  it('attributes on the command line are all kept, whatever their names', () => {
    expect(
      Object.entries(contextOf('bob', 'read', 'o', ['__proto__=x', '__proto__=y', 'a=', 'b=1=2'])),
    ).toEqual([
      ['subject', 'bob'],
      ['action', 'read'],
      ['object', 'o'],
      ['__proto__', ['x', 'y']],
      ['a', ''],
      ['b', '1=2'],
    ]);
  });

  it.each(['subject=ann', 'action=write', 'object=p'])(
    'an attribute that would stand for an argument is refused, not dropped: %s',
    (attribute) => {
      expect(() => contextOf('bob', 'read', '', [attribute])).toThrow(
        `\`${attribute.split('=')[0]}\` is an argument of its own`,
      );
    },
  );
});
