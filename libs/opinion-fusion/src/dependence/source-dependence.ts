import { COPYING, UNIDENTIFIED } from '../contract/constants.ts';
import { detectCopying } from './detect-copying.ts';
import type { SourceStatements, ValueDomains } from './agreement.ts';
import type { Copying, CopyingGroup } from './detect-copying.ts';
import { declaredGroups, DependenceClasses } from './dependence-classes.ts';
import type { Actor, Claim, Model } from '../model/model.ts';
import { quote } from '../contract/quote.ts';
import { isBelowFloor } from '../model/reliability.ts';
import { leavesOpen } from '../model/spellings.ts';
import { convert } from '../model/units.ts';
import type { Pair, StatementGroup } from '../model/statements.ts';
import { formsOfValues } from './forms-of-values.ts';
import type { SourceDependence } from '../contract/types.ts';
import type { Warnings } from '../contract/warnings.ts';

/** Which actors speak with one voice, and what was detected rather than declared. */
export interface Dependence {
  readonly classes: DependenceClasses;
  readonly detected: SourceDependence[];
  /** What was looked at for copying, and what was found; null where it was not looked for. */
  readonly search: CopyingSearch | null;
}

/** All that copying is detected from, and what was found in it, for a next search in the very same. */
export interface CopyingSearch {
  readonly asked: Asked;
  /** What identified sources say, by which alone they are judged; the same as `asked` where all are. */
  readonly identified: Asked;
  readonly found: Omit<Copying, 'pairs'>;
}

interface Asked {
  readonly statements: readonly SourceStatements[];
  /** By item: how many values its predicate has, and the number of the first of them. */
  readonly domainSizes: Int32Array;
  readonly domains: Int32Array;
  /** By value: its number over all domains. */
  readonly labels: Int32Array;
}

/**
 * Joins actors by depends_on and, unless only declared dependence counts, by copying found in the claims;
 * what is detected beyond the declared is reported and warned of, so that nobody is accused in silence.
 * Source: reasoning model §4.
 */
export function findDependence(
  model: Model,
  pairs: readonly Pair[],
  reliability: Float64Array,
  warnings: Warnings,
  earlier: CopyingSearch | null = null,
): Dependence {
  const declared = [...declaredGroups(model.actors, model.actorById)];
  const declaredClasses = new DependenceClasses(model.actors, declared);
  if (!model.settings.detectsCopying || !couldCopy(model))
    return { classes: declaredClasses, detected: [], search: null };
  const isIdentified = ({ type }: Actor) => !UNIDENTIFIED.has(type);
  const asked = statementsOf(model, pairs, reliability, () => true);
  const identified = model.actors.every(isIdentified)
    ? asked
    : statementsOf(model, pairs, reliability, isIdentified);
  const isSame = earlier && isSameAsked(asked, earlier.asked) && isSameAsked(identified, earlier.identified);
  const search = isSame ? earlier : searched(asked, identified);
  const { groups, accuracy, leftOut } = search.found;
  if (leftOut > 0)
    warnings.add(
      'pairs_not_compared',
      '',
      `Copying was not looked for between ${leftOut} pairs of sources that share unusual values, to keep the work bounded; the pairs that share the most were compared.`,
    );
  const actorsOf = (ids: readonly string[]) => ids.map((id) => model.actorById.get(id)!);
  const alike = ({ sources, resembles }: CopyingGroup) =>
    actorsOf(resembles === undefined ? sources : [...sources, resembles]);
  const beyond = groups.filter(
    (group) => new Set(alike(group).map((actor) => declaredClasses.of(actor))).size > 1,
  );
  if (beyond.length === 0) return { classes: declaredClasses, detected: [], search };
  const applied = beyond.filter(({ isApplied }) => isApplied);
  for (const group of beyond) {
    const others = actorsOf(group.sources).every(isIdentified) ? 'other identified sources' : 'others';
    warnings.add('copying_detected', group.sources[0]!, suspicionOf(group, others));
  }
  return {
    classes: new DependenceClasses(
      model.actors,
      [...declared, ...applied.map(({ sources }) => actorsOf(sources))],
      accuracy,
      beyond
        .filter(({ isApplied, resembles }) => isApplied || resembles !== undefined)
        .map((group) => ({
          actors: alike(group),
          copier: group.direction ? model.actorById.get(group.direction.from)! : null,
        })),
      declaredClasses,
    ),
    detected: beyond.map((group) => ({
      actor_ids: [...group.sources],
      ...(group.resembles !== undefined && { resembles: group.resembles }),
      probability: group.probability,
      shared_items: group.sharedItems,
      shared_rare_values: group.sharedRareValues,
      applied: group.isApplied,
      ...(group.direction && { direction: group.direction }),
    })),
    search,
  };
}

/**
 * The warning of a suspicion, with its evidence; readers of shared pages see it, so that it accuses nobody.
 * Nothing is said against an identified source that others resemble. `others`: who was compared with them.
 */
function suspicionOf(group: CopyingGroup, others: string): string {
  const { sources, resembles, sharedItems, sharedRareValues, probability, isApplied, direction } = group;
  const names = sources.map(quote).join(', ');
  const original = direction ? ` If one of them is the original, it is ${quote(direction.to)}.` : '';
  const found = `the same on ${sharedItems} items, ${sharedRareValues} of them with values that at most one in five of the ${others} report. The program is ${stated(probability)} sure that they are not independent, which is a suspicion and no proof.${original}`;
  if (resembles !== undefined) {
    const who = sources.length > 1 ? `Unidentified actors ${names} say` : `Unidentified actor ${names} says`;
    const counted = isApplied
      ? 'They count as one source'
      : sources.length > 1
        ? 'They still count one by one'
        : 'It still counts by itself';
    return `${who} the same unusual things as ${quote(resembles)}: ${found} ${counted}; nothing is held against ${quote(resembles)}.`;
  }
  const counted = isApplied
    ? 'They count as one source; if they are independent, set dependence to declared.'
    : 'They still count one by one: most of what they share is what other sources deny, and counting them once would decide it.';
  return `${sources.length > 2 ? `At least two of the actors ${names}` : `Actors ${names}`} say the same unusual things: ${found} ${counted}`;
}

/** A probability in percent, never rounded to certainty. */
const stated = (probability: number) =>
  probability >= 0.9995 ? 'more than 99.9 %' : `${(probability * 100).toFixed(1)} %`;

function searched(asked: Asked, identified: Asked): CopyingSearch {
  const known = detectCopying(identified.statements, domainsOf(identified));
  const others =
    identified === asked ? null : detectCopying(asked.statements, domainsOf(asked), known.groups);
  const groups = [...known.groups, ...(others?.groups ?? [])];
  return {
    asked,
    identified,
    found: {
      groups: groups.sort((x, y) => (x.sources[0]! < y.sources[0]! ? -1 : 1)),
      accuracy: new Map([...known.accuracy, ...(others?.accuracy ?? [])]),
      leftOut: (others ?? known).leftOut,
    },
  };
}

function domainsOf({ domainSizes, domains, labels }: Asked): ValueDomains {
  return {
    falseValues: (item) => Math.min(COPYING.falseValuesMax, Math.max(1, domainSizes[item]! - 1)),
    domain: (item) => domains[item]!,
    label: (value) => labels[value]!,
  };
}

function isSameAsked(one: Asked, other: Asked): boolean {
  return (
    isSameList(one.domainSizes, other.domainSizes) &&
    isSameList(one.domains, other.domains) &&
    isSameList(one.labels, other.labels) &&
    one.statements.length === other.statements.length &&
    one.statements.every((own, i) => {
      const their = other.statements[i]!;
      return (
        own.source === their.source &&
        own.isUnidentified === their.isUnidentified &&
        own.reliability === their.reliability &&
        isSameList(own.items, their.items) &&
        isSameList(own.values, their.values) &&
        isSameList(own.times!, their.times!)
      );
    })
  );
}

/** Whether two lists hold the same numbers, a time that is not known being the same as another. */
function isSameList(one: ArrayLike<number>, other: ArrayLike<number>): boolean {
  if (one.length !== other.length) return false;
  for (let i = 0; i < one.length; i++) if (!Object.is(one[i], other[i])) return false;
  return true;
}

/** Whether two actors say enough to be compared at all. */
function couldCopy({ actors, claims }: Model): boolean {
  const spoken = new Int32Array(actors.length);
  for (const { subject, actor } of claims) if (subject !== null) spoken[actor.index]! += 1;
  return spoken.filter((count) => count >= COPYING.sharedMin).length > 1;
}

/**
 * What each actor of those heard asserts about what, for the detection: an item is a subject, predicate,
 * scope and time; values are equal by parsed form, and so are forms of one value (`formsOfValues`). Denials,
 * values such as `unknown`, retracted claims and claims below the floor say nothing here.
 */
function statementsOf(
  model: Model,
  pairs: readonly Pair[],
  reliability: Float64Array,
  isHeard: (actor: Actor) => boolean,
): Asked {
  /** By predicate: the number of each value stated, another in every domain. */
  const domains = new Map<string, Map<string, number>>();
  let numbered = 0;
  for (const claim of model.claims) {
    if (claim.subject === null || !isHeard(claim.actor)) continue;
    let domain = domains.get(claim.predicate);
    if (!domain) domains.set(claim.predicate, (domain = new Map()));
    if (!domain.has(claim.value.key)) domain.set(claim.value.key, numbered++);
  }
  const statements: { item: number; value: number; claim: Claim }[][] = model.actors.map(() => []);
  /** By item: its predicate's values. By value: its number there. */
  const domainOf: Map<string, number>[] = [];
  const labels: number[] = [];
  for (const pair of pairs) {
    for (const bucket of pair.buckets) {
      const groups = bucket.groups
        .map((group) => ({ ...group, claims: group.claims.filter(({ actor }) => isHeard(actor)) }))
        .filter(({ claims }) => claims.length > 0);
      const domain = domains.get(pair.predicate)!;
      for (const together of [...byTime(groups)].flatMap(byQuantity)) {
        const item = domainOf.push(domain) - 1;
        const forms = formsOf(together);
        const valueOf = new Map<string, number>();
        for (const group of together) {
          const key = forms?.get(group.value.key) ?? group.value.key;
          let value = valueOf.get(key);
          if (value === undefined) valueOf.set(key, (value = labels.push(domain.get(key)!) - 1));
          for (const claim of group.claims)
            if (claim.status !== 'retracted' && !isBelowFloor(reliability[claim.index]!))
              statements[claim.actor.index]!.push({ item, value, claim });
        }
      }
    }
  }
  const statementsBy = model.actors.filter(isHeard).map((actor) => {
    const own = statements[actor.index]!.sort((a, b) => a.item - b.item || a.claim.index - b.claim.index);
    return {
      source: actor.id,
      isUnidentified: UNIDENTIFIED.has(actor.type),
      reliability: actor.base,
      items: new Int32Array(own.map((statement) => statement.item)),
      values: new Int32Array(own.map((statement) => statement.value)),
      times: new Float64Array(own.map(({ claim }) => claim.assertedAt ?? NaN)),
    };
  });
  return {
    statements: statementsBy,
    domainSizes: Int32Array.from(domainOf, ({ size }) => size),
    domains: Int32Array.from(domainOf, (domain) => domain.values().next().value!),
    labels: Int32Array.from(labels),
  };
}

/** The statements that assert something, by the time they are about. */
function byTime(groups: readonly StatementGroup[]): Iterable<readonly StatementGroup[]> {
  const times = new Map<string, StatementGroup[]>();
  for (const group of groups) {
    if (group.denies || leavesOpen(group.value)) continue;
    const when = `${group.from} ${group.to}`;
    const together = times.get(when);
    if (together) together.push(group);
    else times.set(when, [group]);
  }
  return times.values();
}

/**
 * The statements of one item, those apart that cannot be compared with most: numbers of another quantity,
 * where it is not known how many of one unit make one of the other, and texts with digits among numbers and
 * dates, such as `17.05.2024`, which could not be read as one. Numbers without a unit and all else stay with
 * most claims.
 */
function byQuantity(together: readonly StatementGroup[]): readonly (readonly StatementGroup[])[] {
  const quantities: { unit: string; claims: number; stated: StatementGroup[] }[] = [];
  const unread: StatementGroup[] = [];
  const others: StatementGroup[] = [];
  let read = 0;
  for (const group of together) {
    const { value, claims } = group;
    if (value.kind === 'number' || value.kind === 'date') read += claims.length;
    else if (value.kind === 'text' && /\d/.test(value.key)) {
      unread.push(group);
      continue;
    }
    if (value.kind !== 'number' || value.unit === '') {
      others.push(group);
      continue;
    }
    let quantity = quantities.find(({ unit }) => convert(1, value.unit, unit) !== null);
    if (!quantity) quantities.push((quantity = { unit: value.unit, claims: 0, stated: [] }));
    quantity.claims += claims.length;
    quantity.stated.push(group);
  }
  const isApart = unread.length > 0 && claimsOf(unread) < read;
  if (quantities.length < 2 && !isApart) return [together];
  const rest = isApart ? others : [...others, ...unread];
  if (quantities.length === 0) return [rest, unread];
  const most = quantities.reduce((one, other) => (other.claims > one.claims ? other : one));
  most.stated.push(...rest);
  return [...quantities.map(({ stated }) => stated), ...(isApart ? [unread] : [])];
}

const claimsOf = (groups: readonly StatementGroup[]) =>
  groups.reduce((sum, { claims }) => sum + claims.length, 0);

/** `formsOfValues` of the statements of one item; null where all say the same. */
function formsOf(together: readonly StatementGroup[]): ReadonlyMap<string, string> | null {
  if (together.length < 2) return null;
  return formsOfValues(together.map(({ value, claims }) => ({ value, claims: claims.length })));
}
