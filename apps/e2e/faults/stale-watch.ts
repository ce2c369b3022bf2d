import { status } from '@grpc/grpc-js';
import { openAuthzClients, GrpcCallError, requestContext, type AuthzClients } from '@platform/authz-client';
import { EvaluationEngine, type Policy } from '@platform/proto/authz/v1/policy';
import { createTenant, type Tenant } from '../platform/index.ts';
import type { Invariant } from './invariant.ts';

/** What a watch looks at. */
export interface WatchTarget {
  /** `host:port` of the gRPC of every replica of authz-grpc. */
  readonly replicas: readonly string[];
  readonly rootPassword: string;
  /** The most checks that a tenant may be granted. */
  readonly grantsMax: number;
  /** Whether a loss that may forget counts was less than a flush ago. */
  readonly mayForget: (from: number, to: number) => boolean;
}

export interface StaleWatch {
  /** Ends the load, and tells what was compared. */
  stop(): Promise<Invariant[]>;
}

const REVOKED = 'a deleted key is refused by every replica from the moment the deletion returned';
const DECIDED = 'a policy holds on every replica from the moment the write returned';
const GRANTED = 'a tenant whose calls go to all replicas was granted its quota and not one call more';
const PROMISES = [REVOKED, DECIDED, GRANTED] as const;

const MANY = 1_000_000_000n;
const CHANNEL = { 'grpc.initial_reconnect_backoff_ms': 100, 'grpc.max_reconnect_backoff_ms': 1_000 };
/** Calls of one tenant under way at a time. */
const AT_ONCE = 8;

const allow = (name: string, subject: string): Policy => ({
  name,
  description: '',
  invert: false,
  deny: false,
  engine: EvaluationEngine.FIXED,
  statements: [{ rules: new Map([['subject', subject]]) }],
});

/**
 * Writes at one replica and asks all of them as soon as the write has returned: a deleted key must be refused
 * and a policy must hold. Besides, it uses up quotas of tenants over all replicas at once. Writes whose
 * outcome is not known are left out.
 */
export async function watchStaleness(target: WatchTarget): Promise<StaleWatch> {
  const replicas = target.replicas.map((address) => openAuthzClients(address, { channel: CHANNEL }));
  const first = replicas[0]!;
  const tenant = await createTenant(first);
  const root = await first.sessions.login({ username: 'root', password: target.rootPassword });
  const whole = await first.tenants.getTenant({ id: tenant.id }, root);
  const plane = { maxTokens: MANY, maxOverage: 0n };
  const planes = {
    dataPlane: { ...whole.dataPlane!, ...plane },
    controlPlane: { ...whole.controlPlane!, ...plane },
  };
  await first.tenants.updateTenant({ id: tenant.id, tenant: { ...whole, ...planes } }, root);

  const found = Object.fromEntries(
    PROMISES.map((promise) => [promise, { promise, compared: 0, broken: [] as string[] }]),
  ) as Record<(typeof PROMISES)[number], { promise: string; compared: number; broken: string[] }>;
  let isOver = false;
  let turn = 0;
  const anyone = () => replicas[turn++ % replicas.length]!;

  const check = (clients: AuthzClients, subject: string, { rootDomainId }: Tenant, token: string) =>
    clients.authorization
      .checkAuthorization(
        { context: requestContext({ subject, action: 'read', object: `svc://${rootDomainId}/documents/1` }) },
        { token },
      )
      .then(
        ({ authorized }) => (authorized ? 'allowed' : 'denied'),
        (error: unknown) =>
          error instanceof GrpcCallError ? (status[error.code] ?? 'UNKNOWN') : 'connection',
      );

  async function revoke(): Promise<void> {
    const session = { token: tenant.token };
    const { apiKey, keyId } = await anyone().apiKeys.createApiKey({ userId: tenant.userId }, session);
    // Every replica has the key in memory.
    await Promise.all(replicas.map((clients) => check(clients, tenant.userId, tenant, apiKey)));
    await anyone().apiKeys.deleteApiKey({ userId: tenant.userId, keyId }, session);
    const replies = await Promise.all(
      replicas.map((clients) => check(clients, tenant.userId, tenant, apiKey)),
    );
    found[REVOKED].compared += replies.length;
    for (const [index, reply] of replies.entries())
      if (reply === 'allowed' || reply === 'denied')
        found[REVOKED].broken.push(`replica ${index} took a deleted key`);
  }

  let version = 0;
  async function decide(): Promise<void> {
    const subject = `subject-${version++}`;
    const keep = allow('keep', tenant.userId);
    for (const [policies, expected] of [
      [[keep, allow('subject', subject)], 'allowed'],
      [[keep], 'denied'],
    ] as const) {
      await anyone().domains.putDomainPolicies(
        { tenantId: tenant.id, domainId: tenant.rootDomainId, policies: [...policies] },
        { token: tenant.token },
      );
      const replies = await Promise.all(
        replicas.map((clients) => check(clients, subject, tenant, tenant.token)),
      );
      found[DECIDED].compared += replies.length;
      for (const [index, reply] of replies.entries())
        if ((reply === 'allowed' || reply === 'denied') && reply !== expected)
          found[DECIDED].broken.push(`replica ${index} ${reply} what was ${expected}`);
    }
  }

  async function useUp(): Promise<void> {
    const from = performance.now();
    const one = await createTenant(anyone());
    let granted = 0;
    let isUsedUp = false;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        for (let call = index; !isUsedUp && !isOver; call++) {
          const reply = await check(replicas[call % replicas.length]!, one.userId, one, one.token);
          if (reply === 'allowed' || reply === 'denied') granted += 1;
          // While Redis is unavailable each replica has a share only.
          else if (reply === 'RESOURCE_EXHAUSTED') isUsedUp = granted >= target.grantsMax || call > 1_000;
        }
      }),
    );
    if (target.mayForget(from, performance.now())) return;
    found[GRANTED].compared += 1;
    if (granted > target.grantsMax)
      found[GRANTED].broken.push(`${granted} of ${target.grantsMax} calls were granted`);
  }

  const load = Promise.all(
    [revoke, revoke, decide, useUp].map(async (step) => {
      while (!isOver) await step().catch(() => new Promise((resolve) => setTimeout(resolve, 20)));
    }),
  );
  return {
    async stop() {
      isOver = true;
      await load;
      for (const clients of replicas) clients.close();
      return PROMISES.map((promise) => found[promise]);
    },
  };
}
