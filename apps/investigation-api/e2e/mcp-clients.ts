import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestService } from '../src/test-service.fixture.ts';

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

/** An official client connected to the service's tools over HTTP. */
export async function connectOverHttp(
  service: TestService,
  { era, path = '/mcp' }: { era: Era; path?: string },
): Promise<Client> {
  const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: era } });
  const headers = { authorization: `Bearer ${service.token}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(service.url + path), { requestInit: { headers } }),
  );
  return client;
}

/** The lines for people in a tool's result. */
export function textOf(result: { content: unknown }): string {
  return (result.content as { text: string }[])[0]!.text;
}
