import { USER_ATTRIBUTE_PREFIX } from '../policy/check-context.ts';
import { combineDomains } from '../policy/compile.ts';
import type { CompiledDomain, RequestContext, SearchableSet } from '../policy/types.ts';
import type { DomainState, SubjectState, TenantState } from '../model/entities.ts';
import type { ShadowRef } from '../model/shadow.ts';
import type { StateReader } from './decision-runner.ts';

/**
 * Longest chain of superiors; writes refuse more, so that reading stops here only when a store was edited by
 * hand.
 */
export const SUPERIOR_DEPTH_MAX = 10;

/** What decides on a domain. */
export interface PolicyScope {
  readonly domain: DomainState;
  readonly policies: SearchableSet;
  /** What the set combines, own policies first. */
  readonly compiled: readonly CompiledDomain[];
  /** Domain id → version, of all that decide. */
  readonly versions: ReadonlyMap<string, number>;
  /** Their shadow sets, mostly none. */
  readonly shadows: readonly ShadowRef[];
}

/**
 * The policies that decide on a domain: its own and those of all superiors, each once, own ones first. The
 * tenant's root domain is a superior of every domain that is not detached. Null when the domain or one of its
 * superiors is absent, inactive, or of another tenant: a part of the policies is missing then.
 */
export function readPolicySet(
  reading: StateReader,
  tenant: TenantState,
  domainId: string,
): PolicyScope | null {
  const effective = effectiveDomains((id) => reading.get('domain', id), tenant, domainId);
  const first = effective?.[0];
  if (effective === null || first === undefined) return null;
  const compiled: CompiledDomain[] = [];
  const versions = new Map<string, number>();
  let shadows = NO_SHADOWS;
  for (const { id, version, shadow } of effective) {
    compiled.push(reading.policies(id, version));
    versions.set(id, version);
    if (shadow !== null) shadows = [...shadows, { domainId: id, version: shadow }];
  }
  return { domain: first, policies: combineDomains(compiled), compiled, versions, shadows };
}

const NO_SHADOWS: readonly ShadowRef[] = [];

/**
 * The domains that decide together on one, as `readPolicySet` has them; null as there.
 */
export function effectiveDomains<D extends Omit<DomainState, 'shadow'>>(
  get: (id: string) => D | null,
  tenant: Pick<TenantState, 'id' | 'rootDomainId'>,
  domainId: string,
): D[] | null {
  const first = get(domainId);
  if (first === null) return null;
  // Nearly every domain that stands alone is its tenant's root domain.
  if (first.superiorIds.length === 0 && (first.detached || domainId === tenant.rootDomainId))
    return first.tenantId === tenant.id && first.active ? [first] : null;
  const effective: D[] = [];
  const met = new Set<string>();
  let level: (D | null)[] = [first];
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
    level = next.filter((id) => !effective.some((domain) => domain.id === id)).map((id) => get(id));
  }
  return effective;
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
