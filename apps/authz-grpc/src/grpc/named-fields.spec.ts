import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';

/*
 * Every error that names a field, against the request of every operation that may throw it: an operation is
 * its handler and what that calls, by the names in the sources. Not seen are places that are put together:
 * keys of contexts, items of lists.
 */

const SRC = new URL('../', import.meta.url);
const PROTO = new URL('../../../../proto/authz/v1/', import.meta.url);
const read = (folder: URL, isWanted: (name: string) => boolean) =>
  readdirSync(folder)
    .filter(isWanted)
    .map((name) => readFileSync(new URL(name, folder), 'utf8'));
const isSource = (name: string) => name.endsWith('.ts') && !/\.spec\.ts$|\.contract\.ts$/.test(name);

/** Methods of what operations are given, and the field that their errors name. */
const METHODS: readonly (readonly [RegExp, string, site: string])[] = [
  [/\bthrottle\.begin\(/, 'proof', 'identity/throttle.ts'],
  [/\bpasswords\.hash\(/, 'password', 'identity/passwords.ts'],
  [/\busers\.(?:insert|update)\(/, 'username', 'store/prisma-user-store.ts'],
  [/\btenants\.insert\(/, 'name', 'store/prisma-name-taken.ts'],
  [/\btenants\.update\(/, 'tenant.name', 'store/prisma-tenant-store.ts'],
  [/\bdomains\.insert\(/, 'name', 'store/prisma-name-taken.ts'],
  [/\bdomains\.update\(/, 'domain.name', 'store/prisma-domain-store.ts'],
  [/\bserviceAccounts\.insert\(/, 'name', 'store/prisma-service-account-store.ts'],
  [/\boauth\.insertIdentity\(/, 'oauth_subject', 'store/prisma-oauth-store.ts'],
  [/\boauth\.insertState\(/, 'state', 'store/prisma-oauth-store.ts'],
];
/** Message → its fields, each with the type it has. */
function readMessages(): Map<string, Map<string, string>> {
  const messages = new Map<string, Map<string, string>>();
  for (const text of read(PROTO, (name) => name.endsWith('.proto'))) {
    for (const [, name = '', body = ''] of text.matchAll(/^message (\w+) \{(?:\}|\n([\s\S]*?)^\})/gm)) {
      const fields = body.matchAll(/^\s*(?:optional |repeated )?([\w.]+|map<.*>) (\w+) = \d+/gm);
      messages.set(name, new Map([...fields].map(([, type = '', field = '']) => [field, type])));
    }
  }
  return messages;
}

interface Source {
  readonly file: string;
  readonly text: string;
}

const SOURCES: readonly Source[] = ['./', 'operations/', 'grpc/', 'authorization/'].flatMap((folder) =>
  read(new URL(folder, SRC), isSource).map((text, index) => ({ file: `${folder}${index}`, text })),
);

/** Top-level functions of the sources. */
const FUNCTIONS = SOURCES.flatMap(({ file, text }) =>
  [...text.matchAll(/^(export )?(?:async )?function (\w+)([\s\S]*?)^}/gm)].map(
    ([, exported, name = '', body = '']) => ({ file, name, text: body, isExported: exported !== undefined }),
  ),
);

/** The function that a name means in a file: its own, or one that it may import. */
function functionOf(file: string, name: string): Source | undefined {
  const named = FUNCTIONS.filter((one) => one.name === name);
  return named.find((one) => one.file === file) ?? named.find(({ isExported }) => isExported);
}

/** Handler of every operation, as it stands in the services. */
const HANDLERS = new Map<string, Source>(
  SOURCES.flatMap(({ file, text }) =>
    text
      .split(/\bunary(?=\(\s*'[A-Z])/)
      .slice(1)
      .map((part): [string, Source] => [
        /^\(\s*'(\w+)'/.exec(part)?.[1] as string,
        { file, text: part.split(/^ {2}};$/m)[0] as string },
      ]),
  ),
);

/** The fields that a text names in errors of its own: as an argument, or as the field of an error. */
function fieldsOf(text: string): string[] {
  const named = [...text.matchAll(/\bfield(?:: string)?(?: =|:) ['`]([^'`$]+)['`]/g)].map(
    ([, field]) => field,
  );
  const calls = text.matchAll(
    /\b(?:read(?!Page)\w+|requireUuid|superiorsOf|refuse|missing|mismatch|assertTime)\(/g,
  );
  for (const { index } of calls) {
    let depth = 0;
    let end = index;
    do {
      const character = text[end++];
      if (character === '(') depth += 1;
      else if (character === ')') depth -= 1;
      else continue;
      if (depth === 0) break;
    } while (end < text.length);
    named.push(
      ...[...text.slice(index, end).matchAll(/'([a-z_]+(?:\.[a-z_]+)*)'/g)].map(([, field]) => field),
    );
  }
  return named as string[];
}

const messages = readMessages();

/** Every field that an operation's errors may name. */
function fieldsNamedBy(operation: string): Set<string> {
  const parts = [HANDLERS.get(operation) as Source];
  // An array is iterated over with what is added meanwhile.
  for (const { file, text } of parts) {
    for (const [, name = ''] of text.matchAll(/(?<![.\w])(\w+)\(/g)) {
      const called = functionOf(file, name);
      if (called !== undefined && !parts.includes(called)) parts.push(called);
    }
  }
  const texts = parts.map(({ text }) => text);
  const all = texts.join('\n');
  const fields = new Set(texts.flatMap(fieldsOf));
  for (const [call, field] of METHODS) if (call.test(all)) fields.add(field);
  return fields;
}

function isFieldOf(message: string, path: string): boolean {
  let at: string | undefined = message;
  for (const name of path.split('.')) {
    const fields: Map<string, string> | undefined = messages.get(at?.split('.').at(-1) ?? '');
    at = fields?.get(name);
    if (at === undefined) return false;
    // The keys of a map are the caller's.
    if (at.startsWith('map<')) return true;
  }
  return true;
}

it('the check of named fields finds the operations, the fields and where they are named', () => {
  expect(HANDLERS.size).toBeGreaterThan(50);
  expect([...HANDLERS.keys()].filter((name) => !messages.has(`${name}Request`))).toEqual([]);
  expect(fieldsNamedBy('Login')).toEqual(new Set(['proof', 'duration']));
  expect(fieldsNamedBy('UpdateTenant')).toContain('tenant.description');
  expect(isFieldOf('UpdateTenantRequest', 'tenant.control_plane.max_tokens')).toBe(true);
  expect(isFieldOf('UpdateTenantRequest', 'name')).toBe(false);
  for (const [, field, site] of METHODS)
    expect(readFileSync(new URL(site, SRC), 'utf8')).toMatch(new RegExp(`['\\s]${field}\\b`));
});

it.each([...HANDLERS.keys()])('the errors of %s name fields of its request only', (operation) => {
  covers('AUTHZ-W.9');
  const unknown = [...fieldsNamedBy(operation)].filter((field) => !isFieldOf(`${operation}Request`, field));
  expect(unknown).toEqual([]);
});
