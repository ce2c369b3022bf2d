import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { bundleWorker } from '../engine/bundle-worker.fixture.ts';
import { createInterchange } from '../interchange/interchange.ts';
import type { TestService } from '../test-service.fixture.ts';
import { startTestService } from '../test-service.fixture.ts';
import { connectClient } from './connected-client.fixture.ts';
import { EXAMPLE_JUDGEMENT_ID, EXAMPLE_SESSION } from './examples.ts';
import { TOOLS } from './tools.ts';

const worker = bundleWorker(new URL('../engine/analysis-worker.ts', import.meta.url));
const fileWorker = bundleWorker(new URL('../interchange/interchange-worker.ts', import.meta.url));
let service: TestService;
let client: Client;

/**
 * The examples of all tools on one store, one after the other; the next id is the one that the documentation
 * shows.
 */
beforeAll(async () => {
  service = await startTestService(
    worker.file,
    {},
    {
      newId: () => EXAMPLE_JUDGEMENT_ID,
      interchange: createInterchange({ memoryMiBMax: 512, file: fileWorker.file }),
    },
  );
  client = await connectClient(service.deps);
  // With the list the client has the output schemas, and checks every response by them.
  await client.listTools();
});
afterAll(async () => {
  await client?.close();
  await service?.close();
  worker.remove();
  fileWorker.remove();
});

const isDeletion = (name: string) => name.startsWith('delete_');
/** In the order of the table, but what others need first, and the session deleted last of all. */
const order = [
  ...TOOLS.filter(({ name }) => name.startsWith('upsert_')),
  ...TOOLS.filter(({ name }) => !isDeletion(name) && !name.startsWith('upsert_')),
  ...TOOLS.filter(({ name }) => isDeletion(name) && name !== 'delete_investigation_session'),
  ...TOOLS.filter(({ name }) => name === 'delete_investigation_session'),
];
const first = order.findIndex(({ name }) => name === 'create_investigation_session');
/** Examples of stored documents need docstore-api: their operations are tried over REST alone. */
const needsStore = (name: string) =>
  ['add_document', 'list_documents', 'find_quote', 'get_document'].includes(name);
const sequence = [order[first]!, ...order.toSpliced(first, 1)].filter(({ name }) => !needsStore(name));

describe('files of other tools', () => {
  it.each([
    [{ format: 'xlsx', base64: 'aGVsbG8=' }, 'no XLSX workbook'],
    [{ format: 'xlsx' }, 'give either text or base64'],
    [{ format: 'docx', text: '{}' }, 'format'],
    [{ format: 'json', text: '{}', sesion: 's' }, 'sesion'],
    [{ format: 'json', text: '{"payload": {}}' }, 'research_question'],
  ])('an assistant that sends %j is told why it is refused', async (args, message) => {
    covers('INV-IMPORT.7');
    const answer = await client.callTool({ name: 'import_file', arguments: args });
    expect([answer.isError, JSON.stringify(answer.content)]).toEqual([
      true,
      expect.stringContaining(message),
    ]);
  });
});

describe('the examples in the documentation', () => {
  it.each(sequence.map(({ name, example }) => [name, example] as const))(
    '%s works as it stands, and its response follows its schema',
    async (name, example) => {
      covers('INV-T.3');
      const result = await client.callTool({ name, arguments: example as Record<string, unknown> });
      const [{ text }] = result.content as unknown as [{ text: string }];
      expect([result.isError ?? false, text]).toEqual([false, text]);
      expect(text.length).toBeGreaterThan(0);
      const data = (result.structuredContent ?? {}) as {
        warnings?: string[];
        result?: { warnings: string[] };
      };
      const warnings = data.warnings ?? data.result?.warnings ?? [];
      // A compact result always says when it leaves conclusions out.
      expect(warnings.filter((warning) => !warning.includes('summary_mode'))).toEqual([]);
    },
  );

  it('the examples in the documentation name what they need', () => {
    const names = TOOLS.map(({ name }) => name);
    for (const { example, exampleNeeds = [], name } of TOOLS) {
      for (const need of exampleNeeds) expect(names).toContain(need.split(',')[0]);
      const isOfSession = 'session_id' in example && name !== 'create_investigation_session';
      expect([name, exampleNeeds.length > 0]).toEqual([name, isOfSession || 'document' in example]);
      if (isOfSession) expect(example).toMatchObject(EXAMPLE_SESSION);
    }
  });
});
