import { AuthzError, authzStatus, DomainError, invalidField } from '@platform/error-contracts';
import { CALLS } from '../authorization/calls.ts';
import { tenantTake, userTakes, type Caller } from '../authorization/caller.ts';
import type { DecisionPlan, StateReader } from '../authorization/decision-runner.ts';
import { accessDenied, allows } from '../authorization/authorize.ts';
import { readPolicySet } from '../authorization/policy-scope.ts';
import { CHECK_RATE, type Arrival } from '../audit/call-record.ts';
import { elsewhereDetail } from '../audit/check-detail.ts';
import { recordable } from '../audit/detail.ts';
import { isUuid, requireUuid } from '../ids.ts';
import type { AuditEvent } from '../model/audit-event.ts';
import {
  readAttributes,
  readCheckContext,
  readValues,
  USER_ATTRIBUTE_PREFIX,
  type CheckContext,
} from '../policy/check-context.ts';
import type { RequestContext, Step } from '../policy/types.ts';
import type { Deps } from '../ports.ts';
import { runInTimeSlices } from '../time-slices.ts';
import {
  attempt,
  domainNotAccessible,
  evaluateInSteps,
  readCheckCaller,
  readChecks,
  shadow,
  type ReadCheck,
} from './check-authorization.ts';

export const RECORDED_DECISIONS_MAX = 1_000;

/** A decision that a holder of a bundle made. */
export interface ElsewhereDecision {
  /** Chosen by who decided; the row says it. */
  readonly id: string;
  readonly decidedAt: string;
  /** As they were sent. */
  readonly context: unknown;
  /** Of the subject, as they were given to the check. */
  readonly attributes: unknown;
  readonly allowed: boolean;
  /** The policy that decided; empty for none. */
  readonly policy: string;
}

/** The bundle that the decisions were made by. */
export interface DecidedBy {
  /** Seconds since 1970. */
  readonly issuedAt: number;
  readonly keyId: string;
  /** Domain id → version, of all that decided. */
  readonly versions: ReadonlyMap<string, number>;
}

/** Why a decision left no row, by its index. */
interface NotRecorded {
  readonly index: number;
  readonly reason: string;
  readonly message: string;
}

/**
 * Makes rows of decisions that were made by a bundle of the domain, in the tenant's chain, and returns how
 * many and which not. A row says that it was decided elsewhere, by which bundle, and, where the domain is
 * still at its versions and the service decides otherwise by the attributes that it keeps of the subject,
 * that it is disputed; it names what cannot be as it was sent. Shadow sets decide what is at these versions,
 * plausible and not disputed, as they do checks. A batch that is sent again leaves rows again, with the same
 * ids in them; shadow sets and replays count the first. For callers who may read the policies of the domain,
 * at a call of data_plane and user_plane for each row. Throws TOKEN_INVALID, TENANT_REQUIRED,
 * DOMAIN_NOT_ACCESSIBLE, ACCESS_DENIED, INVALID_ARGUMENT, limits.
 */
export async function recordDecisions(
  deps: Pick<Deps, 'decisions' | 'audit' | 'now' | 'newCheckId' | 'signingKeys' | 'bundles' | 'shadows'>,
  caller: Caller,
  request: {
    readonly domainId: string;
    readonly by: DecidedBy;
    readonly decisions: readonly ElsewhereDecision[];
  },
  arrival: Arrival,
): Promise<{ readonly recorded: number; readonly refused: readonly NotRecorded[] }> {
  const domainId = requireUuid(request.domainId, 'domain_id');
  const { by, decisions } = request;
  const version = by.versions.get(domainId);
  if (version === undefined || ![...by.versions.keys()].every(isUuid)) {
    const field = 'bundle.versions';
    throw invalidField(field, 'must name the domain');
  }
  const read = decisions.map((decision) => readDecision(decision, domainId));
  const { tenantId, asked, isCurrent, current, isForeign } = await deps.decisions.runDecision(
    (reading): DecisionPlan<Entered> => {
      const { subject, tenant } = readCheckCaller(reading, caller, CALLS.RecordDecisions);
      const scope = readPolicySet(reading, tenant, domainId);
      if (scope === null) throw domainNotAccessible();
      const permission = { action: 'read', path: `domains/${domainId}/policies` } as const;
      if (!subject.isRoot && !allows(reading, caller, subject, tenant, permission)) throw accessDenied();
      const checks = readChecks(
        reading,
        tenant,
        read.map((one) => (one instanceof DomainError ? one : one.context)),
      );
      const rows = checks.filter((one) => !(one instanceof DomainError)).length;
      const takes = () => [
        ...userTakes(reading, subject, rows),
        tenantTake(reading, tenant, 'data_plane', rows),
      ];
      const isCurrent =
        scope.versions.size === by.versions.size &&
        [...scope.versions].every(([id, latest]) => by.versions.get(id) === latest);
      return {
        result: {
          tenantId: tenant.id,
          asked: checks,
          isCurrent,
          current: scope.versions,
          isForeign: namesForeign(reading, tenant.id, scope.versions, [...by.versions.keys()]),
        },
        rates: [{ key: tenant.id, ...CHECK_RATE }],
        quotas: rows === 0 ? [] : takes(),
      };
    },
  );
  const refused: NotRecorded[] = [];
  const now = deps.now().getTime();
  const life = deps.bundles.lifeSeconds * 1000;
  const implausible = await implausibleFields(deps.signingKeys, by, { current, isForeign, now });
  /** What the set of now decides as the bundle did; counts of a shadow set compare it with that set alone. */
  const confirmed: [ReadCheck, AuditEvent, string][] = [];
  const events = await runInTimeSlices(rows(), arrival);
  if (events.length > 0) await deps.audit.record(events, arrival.traceparent);
  for (const [check, event, id] of confirmed) shadow(deps, check, event, `${tenantId} ${id}`);
  return { recorded: events.length, refused };

  function* rows(): Generator<Step, AuditEvent[]> {
    const made: AuditEvent[] = [];
    for (const [index, one] of asked.entries()) {
      const decision = decisions[index] as ElsewhereDecision;
      if (one instanceof DomainError) {
        refused.push({ index, reason: authzStatus(one, '').reason, message: one.message });
        continue;
      }
      const { subject, action, object, values } = one.context;
      const joined = new Map(values);
      const { attributes } = read[index] as ReadDecision;
      for (const [key, claimed] of attributes) joined.set(USER_ATTRIBUTE_PREFIX + key, claimed);
      const doubted = canBeDecidedAt(decision.decidedAt, by, { now, life })
        ? implausible
        : [...implausible, 'decided_at'];
      const isDisputed = isCurrent && (yield* evaluateInSteps(one)).allowed !== decision.allowed;
      const event: AuditEvent = {
        id: deps.newCheckId(),
        time: now,
        tenantId,
        domainId,
        subject,
        action,
        object,
        decision: decision.allowed,
        matchedPolicy: recordable(decision.policy),
        callerId: caller.subjectId,
        latencyMicros: 0,
        policyVersion: version as number,
        outcome: '',
        operation: '',
        detail: elsewhereDetail(joined, by.versions, {
          id: decision.id,
          decided_at: decision.decidedAt,
          issued_at: by.issuedAt,
          key_id: recordable(by.keyId),
          ...(isDisputed ? { disputed: true } : {}),
          ...(doubted.length > 0 ? { implausible: doubted } : {}),
        }),
      };
      made.push(event);
      if (isCurrent && !isDisputed && doubted.length === 0 && one.shadows.length > 0)
        confirmed.push([one, event, decision.id]);
      yield;
    }
    return made;
  }
}

interface Entered {
  readonly tenantId: string;
  /** What decides on each decision when the service is asked, or why no row is made of it. */
  readonly asked: readonly (ReadCheck | DomainError)[];
  /** Whether the bundle is that of the domain as it is now. */
  readonly isCurrent: boolean;
  /** Domain id → version, of all that decide now. */
  readonly current: ReadonlyMap<string, number>;
  /** Whether the bundle names a domain that the tenant does not have. */
  readonly isForeign: boolean;
}

/** How far the clock of who decides may be from the one here. Milliseconds. */
const CLOCK_APART_MS_MAX = 5 * 60_000;
/** Bundles have their format since later than this: 2025-01-01, in seconds since 1970. */
const FIRST_ISSUE = 1_735_689_600;
/** Domains of a bundle that do not decide any more, as those whose superiors changed since. */
const OTHERS_MAX = 100;

/**
 * Whether a domain is named that the tenant does not have. A domain that takes part in deciding now is one it
 * has; more others than decide on any domain are not looked up.
 */
function namesForeign(
  reading: StateReader,
  tenantId: string,
  current: ReadonlyMap<string, number>,
  named: readonly string[],
): boolean {
  const others = named.filter((id) => !current.has(id));
  return others.length > OTHERS_MAX || others.some((id) => reading.get('domain', id)?.tenantId !== tenantId);
}

/** What no bundle that this service signed can say about itself, as fields of `bundle`. */
async function implausibleFields(
  keys: Deps['signingKeys'],
  { issuedAt, keyId, versions }: DecidedBy,
  { current, isForeign, now }: Pick<Entered, 'current' | 'isForeign'> & { readonly now: number },
): Promise<string[]> {
  const isAhead = [...current].some(([id, latest]) => (versions.get(id) ?? 0) > latest);
  return [
    ...(issuedAt < FIRST_ISSUE || issuedAt * 1000 > now + CLOCK_APART_MS_MAX ? ['issued_at'] : []),
    ...((await keys.findKey(keyId)) === null ? ['key_id'] : []),
    ...(isAhead || isForeign || [...versions.values()].includes(0) ? ['versions'] : []),
  ];
}

/**
 * Whether somebody whose clock is nearly right can have decided then by the bundle, which ends after `life`
 * milliseconds.
 */
function canBeDecidedAt(
  decidedAt: string,
  { issuedAt }: DecidedBy,
  { now, life }: { readonly now: number; readonly life: number },
): boolean {
  const time = Date.parse(decidedAt);
  const [from, to] = [issuedAt * 1000, Math.min(now, issuedAt * 1000 + life)];
  return time >= from - CLOCK_APART_MS_MAX && time <= to + CLOCK_APART_MS_MAX;
}

interface ReadDecision {
  readonly context: CheckContext;
  readonly attributes: RequestContext;
}

/** What was decided about, or why no row is made of it. */
function readDecision(sent: ElsewhereDecision, domainId: string): ReadDecision | DomainError {
  return attempt(() => {
    const context = readCheckContext(readValues(sent.context));
    if (context.domainId !== domainId)
      throw new AuthzError('INVALID_CONTEXT', '`object` is of another domain', { field: 'context.object' });
    return { context, attributes: readAttributes(sent.attributes) };
  }, sent);
}
