import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { contextOf } from './arguments.ts';
import { UsageError } from './exit-codes.ts';
import { readPolicyFile, toMessages } from './policy-file.ts';

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

  it('keeps every rule, whatever attribute it is of: with one less a policy would match more', async () => {
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
    ['statements: [{ rules: { subject: 7 } }]', 'policies.0.statements.0.rules.subject: '],
    ['statements: [{ rules: [] }]', 'policies.0.statements.0.rules: must be keys with values'],
    ['statements: [{ rule: {} }]', 'policies.0.statements.0'],
    ['statements: [{ rules: { a: b, a: c } }]', 'unique'],
  ])('that has %s is wrong, and where is told', async (statements, told) => {
    const wrong = read(`policies: [{ name: p, engine: fixed, ${statements} }]`);
    await expect(wrong).rejects.toThrow(UsageError);
    await expect(wrong).rejects.toThrow(told);
  });
});

describe('attributes on the command line', () => {
  it('are all kept, whatever their names', () => {
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
});
