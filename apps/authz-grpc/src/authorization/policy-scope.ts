import { USER_ATTRIBUTE_PREFIX } from '../policy/check-context.ts';
import { combineDomains } from '../policy/compile.ts';
import type { RequestContext, SearchableSet } from '../policy/types.ts';
import type { DomainState, SubjectState, TenantState } from '../model/entities.ts';
import type { StateReader } from './decision-runner.ts';

/**
 * Longest chain of superiors; writes refuse more, so that reading stops here only when a store was edited by
 * hand.
 */
export const SUPERIOR_DEPTH_MAX = 10;

/**
 * The policies that decide on a domain: its own and those of all superiors, each once, own ones first. The
 * tenant's root domain is a superior of every domain that is not detached. Null when the domain or one of its
 * superiors is absent, inactive, or of another tenant: a part of the answer is missing then.
 */
export function readPolicySet(
  reading: StateReader,
  tenant: TenantState,
  domainId: string,
): {
  readonly domain: DomainState;
  readonly policies: SearchableSet;
  /** Domain id → version, of all that decide. */
  readonly versions: ReadonlyMap<string, number>;
} | null {
  const first = reading.get('domain', domainId);
  if (first === null) return null;
  const effective: DomainState[] = [];
  const met = new Set<string>();
  let level: (DomainState | null)[] = [first];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > SUPERIOR_DEPTH_MAX) return null;
    const next: string[] = [];
    for (const domain of level) {
      if (domain === null || domain.tenantId !== tenant.id || !domain.active) return null;
      effective.push(domain);
      // Every domain inherits from its tenant's root domain, so that the starter policy means what it says.
      const implied = domain.detached ? [] : [tenant.rootDomainId];
      for (const id of [...domain.superiorIds, ...implied]) {
        if (!met.has(id)) next.push(id);
        met.add(id);
      }
    }
    level = next
      .filter((id) => !effective.some((domain) => domain.id === id))
      .map((id) => reading.get('domain', id));
  }
  return {
    domain: first,
    policies: combineDomains(effective.map(({ id, version }) => reading.policies(id, version))),
    versions: new Map(effective.map(({ id, version }) => [id, version])),
  };
}

/** The context with the attributes that the subject has within the tenant. */
export function withAttributes(
  context: RequestContext,
  subject: SubjectState | null,
  tenantId: string,
): RequestContext {
  const attributes =
    subject !== null && subject.tenantIds.has(tenantId) ? subject.attributes.get(tenantId) : undefined;
  if (attributes === undefined) return context;
  const joined = new Map(context);
  for (const [key, values] of attributes) joined.set(USER_ATTRIBUTE_PREFIX + key, values);
  return joined;
}
