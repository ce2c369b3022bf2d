import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { Caller, Verdict } from './decider.ts';
import { createGuard } from './guard.ts';
import { readMessage } from './message.ts';

const DOMAIN = '3d0e1a2b-0000-4000-8000-0000000000ab';
const ALLOWED = { outcome: 'allowed', checkId: '' } as const;
const ENDED = { outcome: 'credential' } as const;

const messageOf = (method: string, params: object = {}) =>
  readMessage(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
const LIST = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'tail' }] } });

it.each(['a call', 'a list'])(
  'a guard that learns by %s that the credential has ended refuses whatever comes next with it',
  async (by) => {
    covers('AUTHZ-MCP.12');
    let verdict: Verdict = ALLOWED;
    const guard = createGuard(
      { place: { domainId: DOMAIN, server: 'logs' }, unchecked: new Set(), passes: new Set() },
      (asks) => Promise.resolve(asks.map(() => verdict)),
      () => undefined,
    );
    const [ended, other] = ['ended', 'other'].map((token) => ({ token, subject: 'bob' })) as [Caller, Caller];
    const admit = (method: string, caller: Caller, params: object = {}) =>
      guard.admit(messageOf(method, params), caller, {});
    for (const caller of [ended, other])
      expect(await admit('initialize', caller)).toMatchObject({ passed: true });
    const list = await admit('tools/list', ended);
    verdict = ENDED;
    if (by === 'a call') await admit('tools/call', ended, { name: 'tail', arguments: {} });
    else await guard.filter(LIST, readMessage(LIST), list.passed ? list.list : null, ended, {});
    for (const method of ['ping', 'tools/list', 'initialize'])
      expect(await admit(method, ended)).toMatchObject({ passed: false, isCredential: true });
    // What ends another credential says nothing about this one.
    expect(await admit('ping', other)).toMatchObject({ passed: true });
  },
);

const UPDATED = 'notifications/resources/updated';
const SECRET = { uri: 'file:///secret/key.txt' };
it.each<[string, Verdict['outcome'], string, object, boolean, boolean]>([
  ['a resource that the caller may not read', 'denied', UPDATED, SECRET, false, false],
  ['a resource that the caller may read', 'allowed', UPDATED, SECRET, false, true],
  ['a resource, while the service does not decide', 'undecided', UPDATED, SECRET, false, false],
  ['a resource in a second spelling', 'allowed', UPDATED, { uri: 'file:///a/../secret' }, false, false],
  ['no resource', 'allowed', UPDATED, {}, false, false],
  ['a resource, where resources pass', 'denied', UPDATED, SECRET, true, true],
  ['lists', 'denied', 'notifications/resources/list_changed', {}, false, true],
])('a notification of the server about %s, with the check %s', async (...row) => {
  covers('AUTHZ-MCP.17');
  const [, outcome, method, params, isPassed, isTold] = row;
  const asked: unknown[] = [];
  const guard = createGuard(
    {
      place: { domainId: DOMAIN, server: 'logs' },
      unchecked: new Set(),
      passes: new Set(isPassed ? (['resources'] as const) : []),
    },
    (asks) => {
      asked.push(...asks.map(({ action, object }) => [action, object]));
      return Promise.resolve(asks.map(() => ({ outcome, checkId: '', why: '' }) as Verdict));
    },
    () => undefined,
  );
  const text = JSON.stringify({ jsonrpc: '2.0', method, params });
  const bob = { token: 'token', subject: 'bob' };
  expect(await guard.filter(text, readMessage(text), null, bob, {})).toBe(isTold ? text : null);
  const read = ['read', `svc://${DOMAIN}/mcp/logs/resources/file~3A~2F~2F~2Fsecret~2Fkey.txt`];
  expect(asked).toEqual(params === SECRET && !isPassed ? [read] : []);
});

it.each([
  ['a value that is too long', { path: 'x'.repeat(5_000) }],
  ['too many values', Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`a${index}`, index]))],
  ['too many combinations', { a: Array.from({ length: 65 }, (_, index) => index) }],
  [
    'too many bytes',
    Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((key) => [key, 'x'.repeat(4_000)])),
  ],
])('a guard that refuses a call for %s says so, and how to leave an argument unchecked', async (_, given) => {
  covers('AUTHZ-CLI.71');
  const notes: string[] = [];
  const guard = createGuard(
    { place: { domainId: DOMAIN, server: 'logs' }, unchecked: new Set(), passes: new Set() },
    (asks) => Promise.resolve(asks.map(() => ALLOWED)),
    (line) => void notes.push(line),
  );
  const call = messageOf('tools/call', { name: 'tail', arguments: given });
  const admission = await guard.admit(call, { token: 'token', subject: 'bob' }, {});
  const told: unknown = expect.stringContaining('--unchecked');
  expect(admission).toMatchObject({ passed: false, refusal: { code: 'invalid', text: told } });
  expect(notes).toEqual([expect.stringMatching(/^refused: .*--unchecked.*, by bob$/)]);
});
