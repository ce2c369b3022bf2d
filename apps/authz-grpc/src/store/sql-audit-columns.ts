import type { AuditEvent } from '../model/audit-event.ts';

/**
 * Rows of `audit_events` as one SQL array literal per column, in the order of INSERT's parameters. The driver
 * escapes and joins every element of an array, in as much time as the rest of a row takes; ids, numbers and
 * hashes need neither.
 */
export class AuditColumns {
  #ids = '';
  #times = '';
  #tenantIds = '';
  #sequences = '';
  #domainIds = '';
  #subjects = '';
  #actions = '';
  #objects = '';
  #decisions = '';
  #matchedPolicies = '';
  #callerIds = '';
  #latencies = '';
  #policyVersions = '';
  #hashes = '';
  #outcomes = '';
  #operations = '';
  #details = '';
  #separator = '';

  add(event: AuditEvent, sequence: number, hash: string): void {
    const comma = this.#separator;
    this.#ids += comma + event.id;
    this.#times += comma + event.time;
    this.#tenantIds += comma + event.tenantId;
    this.#sequences += comma + sequence;
    this.#domainIds += comma + event.domainId;
    this.#subjects += comma + quoted(event.subject);
    this.#actions += comma + quoted(event.action);
    this.#objects += comma + quoted(event.object);
    this.#decisions += comma + (event.decision ? 't' : 'f');
    this.#matchedPolicies += comma + quoted(event.matchedPolicy);
    this.#callerIds += comma + event.callerId;
    this.#latencies += comma + event.latencyMicros;
    this.#policyVersions += comma + event.policyVersion;
    this.#hashes += comma + hash;
    this.#outcomes += comma + orNull(event.outcome);
    this.#operations += comma + orNull(event.operation);
    this.#details += comma + orNull(event.detail);
    this.#separator = ',';
  }

  /**
   * id, time, tenant, sequence, domain, subject, action, object, decision, policy, caller, latency, version,
   * hash, outcome, operation, detail.
   */
  literals(): string[] {
    return [
      this.#ids,
      this.#times,
      this.#tenantIds,
      this.#sequences,
      this.#domainIds,
      this.#subjects,
      this.#actions,
      this.#objects,
      this.#decisions,
      this.#matchedPolicies,
      this.#callerIds,
      this.#latencies,
      this.#policyVersions,
      this.#hashes,
      this.#outcomes,
      this.#operations,
      this.#details,
    ].map((elements) => `{${elements}}`);
  }
}

/** NULL for the empty text, as in the rows of before these columns. */
function orNull(text: string): string {
  return text === '' ? 'NULL' : quoted(text);
}

const ESCAPED = /["\\]/;

/** An element of an array literal (PostgreSQL, "Array Input and Output Syntax"). */
function quoted(text: string): string {
  return `"${ESCAPED.test(text) ? text.replaceAll(/["\\]/g, '\\$&') : text}"`;
}
