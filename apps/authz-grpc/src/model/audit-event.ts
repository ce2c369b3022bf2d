import { hash } from 'node:crypto';

/** One decision as it was answered. */
export interface AuditEvent {
  /** UUIDv7, the check id. */
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly tenantId: string;
  readonly domainId: string;
  readonly subject: string;
  readonly action: string;
  readonly object: string;
  readonly decision: boolean;
  /** Name of the policy that decided; empty when none matched. */
  readonly matchedPolicy: string;
  readonly callerId: string;
  /** From the arrival of the call to the decision. */
  readonly latencyMicros: number;
  /** Version of the domain. */
  readonly policyVersion: number;
}

/** An event in its place in the tenant's chain. */
export interface ChainedEvent extends AuditEvent {
  /** From 1, without gaps. */
  readonly sequence: number;
  /** SHA-256 of the row before it and of this row, hexadecimal. */
  readonly hash: string;
}

/** Hash before the first row. */
export const GENESIS = '00'.repeat(32);

/**
 * The hash of a row: SHA-256 over the hash before it, its sequence and its fields as a JSON array in fixed
 * order.
 */
export function chainHash(before: string, sequence: number, event: AuditEvent): string {
  return hash('sha256', chainText(before, sequence, event), 'hex');
}

/**
 * What `JSON.stringify` writes of the array, in a third of its time: hashes, ids and numbers need no escapes.
 */
export function chainText(before: string, sequence: number, event: AuditEvent): string {
  const { id, time, tenantId, domainId, decision, callerId, latencyMicros, policyVersion } = event;
  return (
    `["${before}",${sequence},"${id}",${time},"${tenantId}","${domainId}",${quoted(event.subject)},` +
    `${quoted(event.action)},${quoted(event.object)},${decision},${quoted(event.matchedPolicy)},"${callerId}",` +
    `${latencyMicros},${policyVersion}]`
  );
}

/** Printable ASCII without quotation mark and backslash, which JSON writes as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}
