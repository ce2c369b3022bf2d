import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { startBuilt, type BuiltService } from './built-service.fixture.ts';
import { connectOverHttp, data, ERAS, largeInvestigation, SMALL } from './mcp-clients.ts';

const folder = mkdtempSync(join(tmpdir(), 'conversions-'));
const log = join(folder, 'log');
let service: BuiltService;

beforeAll(async () => {
  const counter = new URL('./count-conversions.mjs', import.meta.url).href;
  service = await startBuilt({ NODE_OPTIONS: `--import ${counter}`, CONVERSIONS_LOG: log });
});
afterAll(async () => {
  await service?.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** Conversions between JSON and values, in any thread, of texts that hold `marker`. */
function conversionsOf(marker: string): string[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes(marker))
    .map((line) => line.split(' ')[0]!);
}

let count = 0;
/** An investigation whose question, which its result repeats, is a marker of its own. */
function marked(investigation: object): { marker: string; investigation: Record<string, unknown> } {
  const marker = `marker-${++count}-end`;
  return { marker, investigation: { ...investigation, research_question: marker } };
}

describe.each(ERAS)('MCP over HTTP, protocol %s', (_version, era) => {
  let client: Client;
  beforeAll(async () => {
    client = await connectOverHttp(service, { era });
  });
  afterAll(() => client.close());

  it('a call that judges a small investigation converts JSON three times: parsed, written into the text and as data', async () => {
    covers('INV-T.24');
    const { marker, investigation } = marked(SMALL);
    await data(client, 'submit_investigation', investigation);
    expect(conversionsOf(marker)).toEqual(['parse', 'stringify', 'stringify']);
  });

  it('a call that judges a stored session converts JSON four times, one of them for what the session keeps', async () => {
    covers('INV-T.24');
    const { marker, investigation } = marked(SMALL);
    const { session_id } = await data(client, 'create_investigation_session', {
      name: 'n',
      payload: investigation,
    });
    const before = conversionsOf(marker).length;
    await data(client, 'judge_investigation_session', { session_id, detail: 'full' });
    expect(conversionsOf(marker).slice(before)).toEqual(['parse', 'stringify', 'stringify', 'stringify']);
  });

  it('a call with a large result converts JSON four times: the request thread parses it, which is faster than copying it', async () => {
    covers('INV-T.24');
    const { marker, investigation } = marked({ ...largeInvestigation(400), detail: 'full' });
    await data(client, 'submit_investigation', investigation);
    expect(conversionsOf(marker)).toEqual(['parse', 'stringify', 'parse', 'stringify']);
  });
});
