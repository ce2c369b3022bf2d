import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { turnsOf } from '@platform/testing/event-loop';
import { SEED } from '@platform/testing/seed';
import fc from 'fast-check';
import { liftArguments, SMALL_MESSAGE_BYTES } from './large-arguments.ts';

fc.configureGlobal({ seed: SEED });

const MiB = 1024 * 1024;
const bytes = (text: string) => new TextEncoder().encode(text);
const lift = (text: string) => liftArguments(bytes(text));

describe('large arguments of a tool call', () => {
  covers('INV-T.22');
  it('large arguments of a tool call are extracted to the byte, whatever they and the rest of the message hold', async () => {
    const json = fc.jsonValue({ depthSize: 'small' });
    const message = fc.record({
      before: fc.dictionary(fc.string(), json),
      inParams: fc.dictionary(fc.string(), json),
      args: fc.dictionary(fc.string(), json),
      indent: fc.constantFrom(0, 2),
    });
    await fc.assert(
      fc.asyncProperty(message, async ({ before, inParams, args, indent }) => {
        const { params: _, ...others } = before;
        const { arguments: __, ...rest } = inParams;
        const sent = { ...others, params: { ...rest, arguments: args, _meta: rest }, method: 'tools/call' };
        const { message: lifted, rawArguments } = await lift(JSON.stringify(sent, null, indent));
        expect(JSON.parse(new TextDecoder().decode(rawArguments))).toEqual(JSON.parse(JSON.stringify(args)));
        const empty = { ...sent, params: { ...sent.params, arguments: {} } };
        expect(lifted).toEqual(JSON.parse(JSON.stringify(empty)));
      }),
    );
  });

  it.each([
    '{"params":{"name":"x"}}',
    '{"params":[{"arguments":{}}]}',
    '[{"params":{"arguments":{}}}]',
    '{"arguments":{}}',
    '"text"',
    '{"params":{"arg',
    '{',
    '',
  ])('large arguments are not extracted from %s, which is refused', async (text) => {
    await expect(lift(text)).rejects.toMatchObject({ kind: 'payload_too_large' });
  });

  it('extraction leaves no other large part in a message', async () => {
    const filler = 'x'.repeat(SMALL_MESSAGE_BYTES);
    for (const text of [
      `{"filler":"${filler}","params":{"arguments":{}}}`,
      `{"params":{"arguments":{},"arguments":"${filler}"}}`,
    ])
      await expect(lift(text)).rejects.toMatchObject({ kind: 'payload_too_large' });
  });

  it.each([
    ['a text of quotes', `{"text":"${'\\"'.repeat(MiB)}"}`],
    ['an array', `{"list":[${'0,'.repeat(MiB)}0]}`],
    ['nested arrays', `{"list":${'['.repeat(MiB)}${']'.repeat(MiB)}}`],
  ])('extraction gives way to other work for each part of %s of 2 MiB', async (_what, args) => {
    covers('PLAT-F.4');
    expect(await turnsOf(() => lift(`{"params":{"arguments":${args}}}`))).toBeGreaterThan(8);
  });

  it('extraction reads no further than a message may be long without its arguments', async () => {
    for (const before of ['"a":1,'.repeat(MiB), ' '.repeat(MiB)])
      await expect(lift(`{${before}"params":{"arguments":{}}}`)).rejects.toMatchObject({
        kind: 'payload_too_large',
      });
  });

  it.each(['{"params":{"arguments":{}}', '{"params":{"arguments":{}}}}', '{"params":{"arguments":{}},}'])(
    'extraction accepts nothing that is not JSON: %s',
    async (text) => {
      await expect(lift(text)).rejects.toMatchObject({ kind: 'invalid_argument' });
    },
  );
});
