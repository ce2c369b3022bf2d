import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestService } from '../src/test-service.fixture.ts';

/** The stdio command as built, which is what clients start. */
export const COMMAND = fileURLToPath(new URL('../../../dist/apps/investigation-api/mcp.js', import.meta.url));

/** The protocol eras, as the official client is told to speak them. */
export const ERAS = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const;
export type Era = (typeof ERAS)[number][1];

/** The demo investigation, as a client would send it. */
export const DEMO = JSON.parse(
  readFileSync(new URL('../../../examples/first-flight.json', import.meta.url), 'utf8'),
) as Record<string, unknown>;

/** An investigation of a few items. */
export const SMALL = {
  research_question: 'q',
  actors: [{ id: 'a', name: 'A', source_type: 'Expert' }],
  subjects: [{ id: 's', name: 'S', subject_type: 'thing' }],
  claims: [{ id: 'c', actor_id: 'a', subject_id: 's', predicate: 'p', value: 'true', content: '' }],
};

/** One claim per actor on one predicate; 20,000 are work for some seconds. */
export function largeInvestigation(claims: number, content = ''): Record<string, unknown> {
  const ids = Array.from({ length: claims }, (_, index) => index);
  return {
    research_question: 'large',
    actors: ids.map((id) => ({ id: `a${id}`, name: `a${id}`, source_type: 'Expert' })),
    subjects: ids.map((id) => ({ id: `s${id}`, name: `s${id}`, subject_type: 'thing' })),
    claims: ids.map((id) => ({
      id: `c${id}`,
      actor_id: `a${id}`,
      subject_id: `s${id % 1000}`,
      predicate: 'p',
      value: `v${id % 7}`,
      content,
    })),
  };
}

/** The tools of a client that selects no toolset, in their order. */
export const DEFAULT_TOOLS = [
  'submit_investigation',
  'create_investigation_session',
  'list_investigation_sessions',
  'get_investigation_session',
  'update_investigation_session',
  'validate_investigation_session',
  'judge_investigation_session',
  'explain_verdict',
  'set_session_interpretation',
  'list_session_judgements',
  'compare_judgements',
  'get_latest_session_judgement',
  'get_session_judgement',
  'delete_investigation_session',
  'share_investigation_session',
  'update_investigation_session_share',
  'preview_investigation_session_share',
  'get_investigation_session_share',
  'list_investigation_session_shares',
  'get_docs',
];

/** An official client connected to the service's tools over HTTP. */
export async function connectOverHttp(
  service: Pick<TestService, 'url' | 'token'>,
  { era, path = '/mcp', token = service.token }: { era: Era; path?: string; token?: string },
): Promise<Client> {
  const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: era } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(service.url + path), { requestInit: { headers } }),
  );
  return client;
}

/** The lines for people in a tool's result. */
export function textOf(result: { content: unknown }): string {
  return (result.content as { text: string }[])[0]!.text;
}

/** Calls a tool and gives its data. Throws what it says when it fails. */
export async function data<T = Record<string, unknown>>(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<T> {
  const result = await client.callTool({ name, arguments: args });
  if (result.isError) throw new Error(textOf(result));
  return result.structuredContent as T;
}

/** Runs to its end with `input` on stdin. */
export function run(
  file: string,
  args: string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [file, ...args],
      { env: { PATH: process.env['PATH'], ...env }, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr }),
    );
    child.stdin?.end(input);
  });
}
