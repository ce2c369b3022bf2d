import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { Plane } from './model/quota.ts';
import type { AuditWriter } from './audit/audit-writer.ts';
import type { ShadowOutcome } from './state/shadow-sets.ts';
import type { PolicyCache } from './state/policy-cache.ts';

/** Events that the parts of the service report as they happen. */
export interface ServiceMetrics {
  /** A call that a limit refused: the rate of checks, or a quota by its plane. */
  refusedByLimit(limit: 'rate' | Plane): void;
  loginThrottled(): void;
  auditGroupWritten(seconds: number): void;
  shadowDecided(outcome: ShadowOutcome, checks: number): void;
}

/** Labels are few and fixed: never a tenant or a user. */
export function createServiceMetrics(registry: Registry): ServiceMetrics {
  const registers = [registry];
  const quotaRefusals = new Counter({
    name: 'authz_quota_refusals_total',
    help: 'Calls refused because a quota and its overage are used up.',
    labelNames: ['plane'],
    registers,
  });
  const rateRefusals = new Counter({
    name: 'authz_rate_refusals_total',
    help: 'Calls refused by a rate: of checks per tenant, or of logins per account and address.',
    labelNames: ['limit'],
    registers,
  });
  // A series that is there from the start shows the first refusal as an increase.
  for (const plane of ['control_plane', 'data_plane', 'user_plane'] as const) quotaRefusals.inc({ plane }, 0);
  for (const limit of ['checks', 'logins'] as const) rateRefusals.inc({ limit }, 0);
  const groupDuration = new Histogram({
    name: 'authz_audit_group_duration_seconds',
    help: 'Time of a group commit of audit rows.',
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers,
  });
  const shadowDecisions = new Counter({
    name: 'authz_shadow_decisions_total',
    help: 'Checks by what shadow policies decided beside the real ones.',
    labelNames: ['outcome'],
    registers,
  });
  for (const outcome of Object.values(SHADOW_LABELS)) shadowDecisions.inc({ outcome }, 0);
  return {
    refusedByLimit(limit) {
      if (limit === 'rate') rateRefusals.inc({ limit: 'checks' });
      else quotaRefusals.inc({ plane: limit });
    },
    loginThrottled: () => rateRefusals.inc({ limit: 'logins' }),
    auditGroupWritten: (seconds) => groupDuration.observe(seconds),
    shadowDecided: (outcome, checks) => shadowDecisions.inc({ outcome: SHADOW_LABELS[outcome] }, checks),
  };
}

const SHADOW_LABELS = {
  agree: 'agree',
  wouldGain: 'would_gain',
  wouldLose: 'would_lose',
  notDecided: 'not_decided',
} as const satisfies Record<ShadowOutcome, string>;

/** Shows what the parts count themselves. `certificateEnd` is in seconds since 1970, 0 without TLS. */
export function exposeState(
  registry: Registry,
  parts: { audit: AuditWriter; policies: PolicyCache; certificateEnd: () => number },
): void {
  const { audit, policies, certificateEnd } = parts;
  const registers = [registry];
  const counter = (name: string, help: string, read: () => number) =>
    new Counter({
      name,
      help,
      registers,
      collect() {
        this.reset();
        this.inc(read());
      },
    });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  counter('authz_audit_rows_written_total', 'Audit rows made durable.', () => audit.written);
  counter('authz_audit_rows_lost_total', 'Audit rows given up in buffered mode.', () => audit.lost);
  counter(
    'authz_audit_held_total',
    'Answers that a full audit queue made wait (buffered) or refused (strict).',
    () => audit.held,
  );
  gauge('authz_audit_queue_rows', 'Audit rows waiting to be written.', () => audit.waiting);
  gauge(
    'authz_policy_cache_entries',
    'Domains whose compiled policies are in memory.',
    () => policies.entries,
  );
  gauge('authz_policy_cache_bytes', 'Estimated bytes of compiled policies in memory.', () => policies.bytes);
  gauge(
    'authz_tls_certificate_not_after_seconds',
    'End of the certificate that the service shows, in seconds since 1970; 0 without TLS.',
    certificateEnd,
  );
}
