import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

const OPERATIONS = new URL('./', import.meta.url);
const PROTO = new URL('../../../../proto/authz/v1/', import.meta.url);

/** The contract's operations, spelled as functions are: `CreateApiKey` is `createApiKey`. */
function contractOperations(): string[] {
  return readdirSync(PROTO)
    .flatMap((file) => [...readFileSync(new URL(file, PROTO), 'utf8').matchAll(/^ {2}rpc (\w+)\(/gm)])
    .map(([, name]) => `${(name as string).charAt(0).toLowerCase()}${(name as string).slice(1)}`)
    .sort();
}

/** Operations that REST alone has. */
const REST_ALONE = [
  'authorizeClient',
  'getDomainBundle',
  'recordDecisions',
  'redeemCode',
  'refreshClientTokens',
  'revokeClientToken',
];

/** Exported functions of each file of operations. */
function exportedFunctions(): Map<string, string[]> {
  const files = readdirSync(OPERATIONS).filter((file) => !file.endsWith('.spec.ts'));
  return new Map(
    files.map((file) => {
      const source = readFileSync(new URL(file, OPERATIONS), 'utf8');
      return [
        file,
        [...source.matchAll(/^export (?:async )?function (\w+)/gm)].map(([, name]) => name as string),
      ];
    }),
  );
}

it('operations/ exports every operation of the proto as one function of its name', () => {
  const functions = [...exportedFunctions().values()].flat();
  const expected = [...contractOperations(), ...REST_ALONE].sort();
  expect(expected.length).toBeGreaterThan(50);
  expect(functions.filter((name) => expected.includes(name)).sort()).toEqual(expected);
});

it('every file of operations/ exports an operation', () => {
  const expected = new Set([...contractOperations(), ...REST_ALONE]);
  const others = [...exportedFunctions()].filter(([, names]) => !names.some((name) => expected.has(name)));
  expect(others.map(([file]) => file)).toEqual([]);
});
