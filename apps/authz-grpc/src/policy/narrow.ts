import { isAsked, type Filter } from '@platform/authz-client/filter';
import {
  expand,
  testStatement,
  type CheckState,
  type MacroValues,
  type ReadyPolicy,
  type Rule,
  type TemplatePart,
} from '@platform/decide/parts';
import { escapeForRegex, readRegexShape } from '@platform/decide/regex';
import { anyOfInSteps, filterOf, notOf, type Planned } from './filter.ts';
import {
  beginningWith,
  EVERYTHING,
  exactly,
  intersect,
  outermost,
  subtract,
  union,
  type Range,
} from './ranges.ts';

/**
 * On which objects a check may be allowed, its subject, action and attributes being known: where a search has
 * to look, and what a plan has to ask. Open with the object are `owner` and `resource.<key>`.
 *
 * INVARIANT (narrow-sound): every object that a check allows is in the ranges. The reverse does not hold: a
 * search checks every object that it finds there.
 */

/** Whether the rule is about the resource. */
function isOpen(rule: Rule): boolean {
  return rule.usesOwner || isAsked(rule.key);
}

/** What the policies of one domain say about objects. */
export interface Narrowed {
  /** An allow may match here. */
  readonly allowed: Range[];
  /** A deny matches here. */
  readonly denied: Range[];
  /** An inverted deny matches everywhere else; one list for each. */
  readonly required: (readonly Range[])[];
}

/** A statement, its rules about the resource apart from those about what is known. */
interface Part {
  readonly policy: number;
  /** Its place among the statements of the policy. */
  readonly statement: number;
  readonly open: readonly Rule[];
  readonly known: readonly Rule[];
  readonly unresolvedMatches: boolean;
  /** Its being matched also hangs on the subject's being the owner. */
  readonly needsEqualMacros: boolean;
}

function matchesKnown({ unresolvedMatches, known }: Part, state: CheckState): boolean {
  return testStatement({ unresolvedMatches, needsEqualMacros: false }, known, state);
}

/** Statements by the text that a rule names whole (`length` null) or that its values begin with. */
interface Bucket {
  readonly key: string;
  readonly length: number | null;
  readonly byText: Map<string, Part[]>;
}

/**
 * The statements of one domain, found by what a search knows: by hash of the text that a rule names or that
 * its values begin with, the one that fewest others share; all others are tested.
 */
export class NarrowIndex {
  readonly #policies: readonly ReadyPolicy[];
  readonly #inverted: readonly number[];
  readonly #buckets = new Map<string, Bucket>();
  readonly #others: Part[] = [];

  private constructor(policies: readonly ReadyPolicy[]) {
    this.#policies = policies;
    this.#inverted = policies.flatMap(({ policy }, index) => (policy.invert ? [index] : []));
  }

  /** Makes the index, one policy per step. */
  static *inSteps(policies: readonly ReadyPolicy[]): Generator<void, NarrowIndex> {
    const index = new NarrowIndex(policies);
    const shares = new Map<Rule, number>();
    for (const { statements } of policies) {
      // Rules that are equal are one object.
      for (const { rules } of statements)
        for (const rule of rules) shares.set(rule, (shares.get(rule) ?? 0) + 1);
      yield;
    }
    for (const [policy, { statements }] of policies.entries()) {
      for (const [statement, { rules, unresolvedMatches, needsEqualMacros }] of statements.entries()) {
        const open = rules.filter(isOpen);
        const known = rules.filter((rule) => !open.includes(rule));
        index.#add({ policy, statement, open, known, unresolvedMatches, needsEqualMacros }, shares);
      }
      yield;
    }
    return index;
  }

  #add(part: Part, shares: ReadonlyMap<Rule, number>): void {
    const shareOf = (rule: Rule) => shares.get(rule) ?? 0;
    const [rarest] = part.known
      .filter(({ anchor }) => anchor !== null && anchor.kind !== 'regex')
      .sort((a, b) => shareOf(a) - shareOf(b));
    const anchor = rarest?.anchor ?? null;
    if (rarest === undefined || anchor === null || anchor.kind === 'regex')
      return void this.#others.push(part);
    const { key } = rarest;
    const length = anchor.kind === 'exact' ? null : anchor.text.length;
    const name = `${length} ${key}`;
    const bucket = this.#buckets.get(name) ?? { key, length, byText: new Map<string, Part[]>() };
    this.#buckets.set(name, bucket);
    const parts = bucket.byText.get(anchor.text);
    if (parts === undefined) bucket.byText.set(anchor.text, [part]);
    else parts.push(part);
  }

  /** `state` is that of a check without the object. @throws when the regex crate fails. */
  narrow(state: CheckState): Narrowed {
    const allowed: Range[] = [];
    const denied: Range[] = [];
    /** By inverted policy: where it may have a statement that matches; null where one surely does. */
    const inverted = new Map<number, Range[] | null>();
    for (const part of this.#candidates(state)) {
      if (!matchesKnown(part, state)) continue;
      const { policy: index, open, needsEqualMacros } = part;
      const { policy } = this.#policies[index] as ReadyPolicy;
      const isCertain = open.length === 0 && !needsEqualMacros;
      const { range, isWhole } = this.#rangeOf(open, state.macros);
      if (policy.invert) {
        const before = inverted.get(index);
        if (isCertain) inverted.set(index, null);
        else if (before !== null) inverted.set(index, [...(before ?? []), range]);
      } else if (!policy.deny) allowed.push(range);
      else if (isWhole && !needsEqualMacros) denied.push(range);
    }
    const required: (readonly Range[])[] = [];
    for (const index of this.#inverted) {
      const { deny } = (this.#policies[index] as ReadyPolicy).policy;
      const ranges = inverted.get(index);
      // An inverted allow allows where no statement matches, which is nowhere if one does everywhere.
      if (!deny && ranges !== null) allowed.push(EVERYTHING);
      if (deny && ranges !== null) required.push(union(ranges ?? []));
    }
    return { allowed, denied, required };
  }

  /** The condition under which a check is allowed, a statement at each step. @throws as `narrow`. */
  *plan(state: CheckState): Generator<void, Planned> {
    const byPolicy = new Map<number, Filter[]>();
    for (const part of this.#candidates(state)) {
      yield;
      if (!matchesKnown(part, state)) continue;
      const { policy, statement, open, needsEqualMacros } = part;
      const ready = this.#policies[policy] as ReadyPolicy;
      const filter = filterOf({
        rules: open,
        patterns: ready.policy.statements[statement]?.rules ?? {},
        needsEqualMacros,
        unresolvedMatches: ready.statements[statement]?.unresolvedMatches ?? true,
        state,
      });
      const before = byPolicy.get(policy);
      if (before === undefined) byPolicy.set(policy, [filter]);
      else before.push(filter);
    }
    for (const index of this.#inverted) if (!byPolicy.has(index)) byPolicy.set(index, []);
    const planned: Planned = { allow: [], deny: [] };
    for (const [index, some] of byPolicy) {
      const { deny, invert } = (this.#policies[index] as ReadyPolicy).policy;
      const matches = yield* anyOfInSteps(some);
      planned[deny ? 'deny' : 'allow'].push(invert ? notOf(matches) : matches);
    }
    return planned;
  }

  /** The statements whose known rules may match. */
  *#candidates(state: CheckState): Generator<Part> {
    yield* this.#others;
    for (const { key, length, byText } of this.#buckets.values()) {
      const values = [state.context.get(key) ?? []].flat();
      for (const text of new Set(values.map((value) => value.slice(0, length ?? value.length))))
        yield* byText.get(text) ?? [];
    }
  }

  /**
   * Where these rules may match, by the one about the open key. `isWhole`: they match everywhere there, and
   * say nothing else.
   */
  #rangeOf(open: readonly Rule[], macros: MacroValues): { readonly range: Range; readonly isWhole: boolean } {
    const rule = open.find(({ key }) => key === 'object');
    if (rule === undefined) return { range: EVERYTHING, isWhole: open.length === 0 };
    const { range, isWhole } = anchorOf(rule, macros);
    return { range, isWhole: isWhole && open.length === 1 };
  }
}

/** The texts that the narrowed policies of several domains leave together. */
export function combineNarrowed(parts: readonly Narrowed[]): readonly Range[] {
  const allowed = union(parts.flatMap((part) => part.allowed));
  const required = parts.flatMap((part) => part.required).reduce(intersect, allowed);
  return subtract(required, union(parts.flatMap((part) => part.denied)));
}

/**
 * Where the policies of several domains may allow something together, whatever they deny besides: ranges that
 * a deny covers whole are left out, and those within another one.
 */
export function combineReach(parts: readonly Narrowed[]): readonly Range[] {
  const denied = union(parts.flatMap((part) => part.denied));
  const open = parts.flatMap((part) => part.allowed).filter((range) => subtract([range], denied).length > 0);
  return outermost(open);
}

interface Anchored {
  readonly range: Range;
  /** The rule matches everything in the range. */
  readonly isWhole: boolean;
}

/** Where a rule may match, no matter who the owner is. */
function anchorOf({ matcher }: Rule, macros: MacroValues): Anchored {
  const begin = (text: string, isWhole: boolean) => ({ range: beginningWith(text), isWhole });
  switch (matcher.kind) {
    case 'exact':
      return { range: exactly(matcher.text), isWhole: true };
    case 'prefix':
      return begin(matcher.text, true);
    case 'line':
      return begin(matcher.text, false);
    case 'glob': {
      const known = readKnown(
        matcher.glob.tokens.map((token) =>
          token.kind === 'text' ? token.text : token.kind === 'macro' ? token.part : null,
        ),
        macros,
      );
      return begin(known.text, false);
    }
    case 'regex':
      return begin(matcher.slot.prefix, false);
    case 'template': {
      if (matcher.literal !== 'exact' && matcher.literal !== 'prefix') return begin('', false);
      const { text, isWhole } = readKnown(matcher.parts, macros);
      if (!isWhole) return begin(text, false);
      return matcher.literal === 'exact' ? { range: exactly(text), isWhole } : begin(text, isWhole);
    }
    case 'expanded': {
      if (!readKnown(matcher.parts, macros).isWhole) return begin('', false);
      return begin(readRegexShape(expand(matcher.parts, macros, escapeForRegex))?.prefix ?? '', false);
    }
    default:
      return begin('', false);
  }
}

/** The text up to the first part that is not known yet; `isWhole` when there is none. */
function readKnown(
  parts: readonly (TemplatePart | null)[],
  macros: MacroValues,
): { readonly text: string; readonly isWhole: boolean } {
  let text = '';
  for (const part of parts) {
    if (part === null) return { text, isWhole: false };
    const value = typeof part === 'string' ? part : part.macro === 'current_user' ? macros.user : undefined;
    if (value === undefined) return { text, isWhole: false };
    text += value;
  }
  return { text, isWhole: true };
}
