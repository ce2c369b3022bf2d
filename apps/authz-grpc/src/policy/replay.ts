import { combineDomains, compileDomain } from './compile.ts';
import type { PolicyChange, Witness } from './compare-sets.ts';
import type { CompiledDomain, DomainPolicies, Policy, RequestContext, SearchableSet } from './types.ts';

export interface RecordedCheck {
  readonly domainId: string;
  /**
   * With the subject's attributes of then; null where the row does not keep all that decides, or keeps what
   * the service doubts. Good until the
   * next check is read: a reader may fill the same map again.
   */
  readonly context: RequestContext | null;
  /** The domains that decided; null where the row does not keep them. */
  readonly decidedBy: ReadonlySet<string> | null;
}

/** What changes for some checks. */
export interface ReplayedPart {
  readonly checks: number;
  /** Subject and object of those, each pair once. */
  readonly pairs: readonly (readonly [subject: string, object: string])[];
  readonly first: readonly Witness[];
}

/** What a number of checks come to when both sets decide them. */
export interface ReplayedSlice {
  readonly checks: number;
  readonly notReplayed: number;
  /** Those of other domains than the change has scopes for, of which the changed domain decided. */
  readonly domainNotActive: number;
  readonly lost: ReplayedPart;
  readonly gained: ReplayedPart;
}

/** Decides recorded checks by the set of now and by another one. */
export interface Replay {
  decide(checks: Iterable<RecordedCheck>): ReplayedSlice;
  free(): void;
}

/** Requests returned of each kind. */
export const REPLAYED_FIRST_MAX = 20;

/** Never throws for policies that validation accepts. */
export function createReplay(change: PolicyChange): Replay {
  const { domainId } = change.before;
  const compiled = new Map<string, CompiledDomain>();
  const compile = (name: string, domain: DomainPolicies) => {
    const known = compiled.get(name) ?? compileDomain(domain);
    compiled.set(name, known);
    return known;
  };
  const changed = combineDomains([
    compile('changed', { ...change.after, policies: changedPolicies(change) }),
  ]);
  const scopes = new Map<string, Record<'before' | 'after', SearchableSet>>();
  for (const ids of change.scopes) {
    const side = (which: 'before' | 'after') =>
      combineDomains(
        ids.map((id) =>
          id === domainId
            ? compile(which, change[which])
            : compile(id, change.others.get(id) as DomainPolicies),
        ),
      );
    scopes.set(ids[0] as string, { before: side('before'), after: side('after') });
  }

  return {
    decide(checks) {
      const lost = new Part();
      const gained = new Part();
      let [decided, notReplayed, domainNotActive] = [0, 0, 0];
      for (const { domainId: id, context, decidedBy } of checks) {
        const scope = scopes.get(id);
        if (scope === undefined) {
          if (decidedBy?.has(domainId) ?? true) domainNotActive += 1;
          continue;
        }
        if (context === null) {
          notReplayed += 1;
          continue;
        }
        decided += 1;
        // Most checks come to none of the policies that change, and then both sets decide alike.
        const { matched, problems } = changed.evaluate(context);
        if (matched === null && problems.length === 0) continue;
        const before = scope.before.evaluate(context);
        const after = scope.after.evaluate(context);
        if (before.allowed !== after.allowed)
          (before.allowed ? lost : gained).add({ context, before, after });
      }
      return { checks: decided, notReplayed, domainNotActive, lost: lost.told(), gained: gained.told() };
    },
    free() {
      for (const domain of compiled.values()) domain.free();
    },
  };
}

/** The policies that one of the two sets has alone, whatever their names and their order. */
function changedPolicies({ before, after }: Pick<PolicyChange, 'before' | 'after'>): Policy[] {
  const said = ({ deny, invert, engine, statements }: Policy) =>
    JSON.stringify([deny, invert, engine, statements.map(({ rules }) => Object.entries(rules).sort())]);
  const lacking = (some: DomainPolicies, others: DomainPolicies) => {
    const known = new Set(others.policies.map(said));
    return some.policies.filter((policy) => !known.has(said(policy)));
  };
  return [...lacking(before, after), ...lacking(after, before)];
}

class Part {
  #checks = 0;
  readonly #pairs = new Map<string, readonly [string, string]>();
  readonly #first: Witness[] = [];

  add(witness: Witness): void {
    this.#checks += 1;
    const [subject, object] = [String(witness.context.get('subject')), String(witness.context.get('object'))];
    const id = `${object} ${subject}`;
    if (this.#pairs.has(id)) return;
    this.#pairs.set(id, [subject, object]);
    if (this.#first.length < REPLAYED_FIRST_MAX)
      this.#first.push({ ...witness, context: new Map(witness.context) });
  }

  told(): ReplayedPart {
    return { checks: this.#checks, pairs: [...this.#pairs.values()], first: this.#first };
  }
}
