import { expect, it } from '@jest/globals';
import { SEED } from '@platform/testing/seed';
import { covers } from '@platform/testing/covers';
import fc from 'fast-check';
import { readEvents, withParts, type StreamEvent } from './event-stream.ts';

fc.configureGlobal({ seed: SEED });

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const text = fc.string({ unit: 'grapheme' }).map((one) => one.replaceAll(/[\r\n\uFEFF]/g, ''));
const sent = fc.array(
  fc.record({ data: fc.array(text, { minLength: 1, maxLength: 3 }), id: fc.option(text), end: lineEnd }),
  { maxLength: 5 },
);

async function read(stream: string, cuts: readonly number[]): Promise<StreamEvent[]> {
  const bytes = Buffer.from(stream);
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  async function* chunks() {
    for (let at = 1; at < places.length; at++) yield bytes.subarray(places[at - 1], places[at]);
  }
  const events: StreamEvent[] = [];
  for await (const event of readEvents(chunks(), 1_000_000)) events.push(event);
  return events;
}

it('events of a stream are read the same wherever the stream is cut, and pass byte by byte', async () => {
  covers('AUTHZ-MCP.4');
  await fc.assert(
    fc.asyncProperty(sent, fc.array(fc.nat(), { maxLength: 8 }), async (events, cuts) => {
      const stream = events
        .map(({ data, id, end }) =>
          [...data.map((line) => `data: ${line}`), ...(id === null ? [] : [`id: ${id}`]), '', ''].join(end),
        )
        .join('');
      // A lone carriage return at the very end may be half of a line's end.
      const found = await read(`${stream}: end\n\n`, cuts);
      expect(found.slice(0, -1).map(({ data, id }) => ({ data, id }))).toEqual(
        events.map(({ data, id }) => ({ data: data.join('\n'), id })),
      );
      expect(found.map((event) => withParts(event, event)).join('')).toBe(`${stream}: end\n\n`);
    }),
  );
});

it('an event without an end is bounded', async () => {
  covers('AUTHZ-MCP.3');
  async function* endless() {
    for (;;) yield Buffer.from('data: x\n');
  }
  const events = readEvents(endless(), 1_000);
  await expect(events.next()).rejects.toThrow('longer than 1000');
});
