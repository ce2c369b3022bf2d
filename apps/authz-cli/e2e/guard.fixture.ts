import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openAuthzClients, type AuthzClients } from '@platform/authz-client';
import { EvaluationEngine, type Policy } from '@platform/proto/authz/v1/policy';
import { AUTHZ_SETTINGS, killOnExit, startBuiltService, type BuiltProcess } from '@platform/testing';

export const PLATFORM = fileURLToPath(new URL('../../../dist/apps/authz-cli/platform.js', import.meta.url));
export const LENIENT_SERVER = fileURLToPath(new URL('./lenient-server.mjs', import.meta.url));
export const PASSWORD = 'correct horse battery staple';

export type Json = Record<string, unknown>;

/** A tenant with an owner and an agent, on a service of its own. */
export interface Authority {
  readonly service: BuiltProcess;
  readonly clients: AuthzClients;
  readonly address: string;
  readonly folder: string;
  readonly tenantId: string;
  readonly domainId: string;
  readonly owner: { readonly id: string; readonly token: string };
  readonly agent: { readonly id: string; readonly token: string };
  /** Writes the policies, besides those that a tenant begins with. */
  put(policies: readonly Policy[]): Promise<void>;
  newUser(name: string): Promise<{ id: string; token: string }>;
  /** The owner of a tenant of their own. */
  newFounder(name: string): Promise<{ id: string; token: string }>;
  stop(): Promise<void>;
}

export function policy(
  name: string,
  engine: keyof typeof EvaluationEngine,
  rules: Readonly<Record<string, string>>,
  deny = false,
): Policy {
  return {
    name,
    description: '',
    invert: false,
    deny,
    engine: EvaluationEngine[engine],
    statements: [{ rules: new Map(Object.entries(rules)) }],
  };
}

export async function startAuthority(env: Readonly<Record<string, string>> = {}): Promise<Authority> {
  const service = await startBuiltService('authz-grpc', {
    ...AUTHZ_SETTINGS,
    ...env,
  });
  const address = `127.0.0.1:${service.ports['grpc_port']}`;
  const clients = openAuthzClients(address, { timeoutMs: 300_000 });
  const folder = mkdtempSync(join(tmpdir(), 'guard-'));
  const signUp = async (username: string) =>
    clients.users.createUser({ username, email: `${username}@example.org`, password: PASSWORD });
  const login = async (username: string, tenant?: string) =>
    (await clients.sessions.login({ username, password: PASSWORD, tenant })).token;
  const { userId: ownerId } = await signUp('alice');
  const tenant = await clients.tenants.createTenant(
    { name: 'acme', description: '' },
    { token: await login('alice') },
  );
  const domainId = tenant.domains[0]?.id as string;
  const owner = { id: ownerId, token: await login('alice', 'acme') };
  const { policies: starters } = await clients.domains.getDomainPolicies(
    { tenantId: tenant.id, domainId },
    owner,
  );
  const newUser = async (name: string) => {
    const { userId } = await signUp(name);
    await clients.tenants.createTenantUserAssociation({ tenantId: tenant.id, userId }, owner);
    return { id: userId, token: await login(name, 'acme') };
  };
  return {
    service,
    clients,
    address,
    folder,
    tenantId: tenant.id,
    domainId,
    owner,
    agent: await newUser('agent'),
    newUser,
    async newFounder(name) {
      const { userId } = await signUp(name);
      await clients.tenants.createTenant(
        { name: `of-${name}`, description: '' },
        { token: await login(name) },
      );
      return { id: userId, token: await login(name, `of-${name}`) };
    },
    async put(policies) {
      await clients.domains.putDomainPolicies(
        { tenantId: tenant.id, domainId, policies: [...starters, ...policies] },
        owner,
      );
    },
    async stop() {
      clients.close();
      await service.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What the lenient server did of what it was sent. */
export interface Done {
  readonly method: string;
  readonly name: string;
  readonly arguments: Json;
  readonly id: unknown;
}

/** A guard as a process of its own before the lenient server, and a client that speaks line by line. */
export interface GuardedServer {
  readonly process: ChildProcess;
  /** Sends these bytes as they are, with a line feed. */
  send(line: string | Buffer): void;
  request(method: string, params?: Json, id?: string | number): Promise<Json>;
  /** Sends the line and returns what came back before the response to a ping behind it. */
  probe(line: string | Buffer): Promise<Json[]>;
  executed(): Done[];
  /** Messages that nobody waits for. */
  readonly others: Json[];
  nextOther(): Promise<Json>;
  notes(): string;
  end(): Promise<number | null>;
}

let count = 0;

export function startGuarded(
  authority: Authority,
  args: readonly string[],
  options: {
    env?: Record<string, string>;
    token?: string;
    server?: readonly string[];
    direct?: boolean;
  } = {},
): GuardedServer {
  const executedFile = join(authority.folder, `executed-${count++}`);
  writeFileSync(executedFile, '');
  const server = options.server ?? [process.execPath, LENIENT_SERVER];
  const command = options.direct
    ? server
    : [process.execPath, PLATFORM, 'mcp-guard', ...args, '--', ...server];
  const [program = '', ...rest] = command;
  const child = spawn(program, rest, {
    env: {
      PATH: process.env['PATH'],
      PLATFORM_ADDRESS: authority.address,
      PLATFORM_TOKEN: options.token ?? authority.agent.token,
      PLATFORM_CONFIG: join(authority.folder, 'config.json'),
      EXECUTED: executedFile,
      ...options.env,
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  killOnExit(child);
  const closed = once(child, 'close') as Promise<[number | null]>;
  let notes = '';
  child.stderr.on('data', (chunk: Buffer) => (notes += chunk.toString()));
  const waiting = new Map<unknown, (message: Json) => void>();
  const others: Json[] = [];
  let onOther: ((message: Json) => void) | null = null;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Json;
    const waiter = 'method' in message ? undefined : waiting.get(message['id']);
    if (waiter !== undefined) {
      waiting.delete(message['id']);
      waiter(message);
    } else if (onOther !== null) onOther(message);
    else others.push(message);
  });
  let nextId = 1_000_000;
  const send = (line: string | Buffer) => {
    child.stdin.write(line);
    child.stdin.write('\n');
  };
  const request = (method: string, params: Json = {}, id: string | number = nextId++) =>
    new Promise<Json>((resolve, reject) => {
      waiting.set(id, resolve);
      void closed.then(() => reject(new Error(`the guard ended: ${notes}`)));
      send(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    });
  return {
    process: child,
    send,
    request,
    async probe(line) {
      others.length = 0;
      send(line);
      await request('ping');
      return others.splice(0);
    },
    executed: () =>
      readFileSync(executedFile, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as Done),
    others,
    nextOther: () =>
      new Promise((resolve) => {
        const first = others.shift();
        if (first !== undefined) return resolve(first);
        onOther = (message) => {
          onOther = null;
          resolve(message);
        };
      }),
    notes: () => notes,
    async end() {
      child.stdin.end();
      return (await closed)[0];
    },
  };
}
