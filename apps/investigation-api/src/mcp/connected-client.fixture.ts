import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import type { Connection } from './connection.ts';
import { buildServer } from './server.ts';
import type { ToolDeps } from './tool.ts';
import { TOOLS } from './tools.ts';

/** A connection with all tools, of a user of the tenant `t` whom no authorization service knows. */
export const CONNECTION: Connection = {
  tools: TOOLS,
  caller: {
    id: 'a',
    tenantId: 't',
    username: null,
    rootDomainId: null,
    leases: null,
    scopes: [],
    credential: '',
    metadata: {},
  },
  requestId: 'r',
  baseUrl: 'https://example.org',
};

/** A client of a server with these dependencies in the same process, connected. */
export async function connectClient(deps: ToolDeps, changes: Partial<Connection> = {}): Promise<Client> {
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await buildServer(deps, { ...CONNECTION, ...changes }).connect(serverSide);
  const client = new Client({ name: 'spec', version: '1' });
  await client.connect(clientSide);
  return client;
}
