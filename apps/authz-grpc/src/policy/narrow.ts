import type { ReadyPolicy } from './explain.ts';
import type { Filter } from '@platform/authz-client/filter';
import { anyOf, filterOf, notOf, type Planned } from './filter.ts';
import { expand, type MacroName, type MacroValues, type TemplatePart } from './macros.ts';
import { buildIndex, search, type Found, type IndexedStatement, type IndexNode } from './policy-index.ts';
import { beginningWith, EVERYTHING, exactly, intersect, subtract, union, type Range } from './ranges.ts';
import { escapeForRegex } from './regex.ts';
import { readRegexShape } from './regex-shape.ts';
import type { CheckState, Rule } from './rule.ts';
import type { Searched } from './types.ts';

/**
 * Which values of one context key a check may allow, all else being known: what a search has to look at.
 *
 * INVARIANT (narrow-sound): every value that a check allows is in the ranges. The reverse does not hold: a
 * search checks every value that it finds there.
 */

interface Open {
  readonly isOpen: (key: string) => boolean;
  /** The macro that stands for something open. */
  readonly macro: MacroName;
}

const OPEN: Readonly<Record<Searched, Open>> = {
  object: {
    isOpen: (key) => key === 'object' || key === 'owner' || key.startsWith('resource.'),
    macro: 'resource_owner',
  },
  subject: {
    isOpen: (key) => key === 'subject' || key.startsWith('user.'),
    macro: 'current_user',
  },
};

/** What the policies of one domain say of the open key. */
export interface Narrowed {
  /** An allow may match here. */
  readonly allowed: Range[];
  /** A deny matches here. */
  readonly denied: Range[];
  /** An inverted deny matches everywhere else; one list for each. */
  readonly required: (readonly Range[])[];
}

/** A statement and those of its rules that a search leaves open. */
interface Part {
  readonly policy: number;
  /** Its place among the statements of the policy. */
  readonly statement: number;
  readonly open: readonly Rule[];
  /** Its being matched also hangs on the subject's being the owner. */
  readonly needsEqualMacros: boolean;
}

/** The statements of one domain, found by what a search knows. */
export class NarrowIndex {
  readonly #policies: readonly ReadyPolicy[];
  readonly #searched: Searched;
  readonly #parts: readonly Part[];
  readonly #index: IndexNode;

  /** The regexes of the policies must be built. */
  constructor(policies: readonly ReadyPolicy[], searched: Searched) {
    const { isOpen, macro } = OPEN[searched];
    const usesOpen = (rule: Rule) => (macro === 'current_user' ? rule.usesUser : rule.usesOwner);
    const parts: Part[] = [];
    const closed: IndexedStatement[] = [];
    policies.forEach(({ statements }, policy) => {
      for (const [statement, { rules, unresolvedMatches, needsEqualMacros }] of statements.entries()) {
        const open = rules.filter((rule) => isOpen(rule.key) || usesOpen(rule));
        closed.push({
          ordinal: parts.length,
          rules: rules.filter((rule) => !open.includes(rule)),
          unresolvedMatches,
          needsEqualMacros: false,
        });
        parts.push({ policy, statement, open, needsEqualMacros });
      }
    });
    this.#policies = policies;
    this.#searched = searched;
    this.#parts = parts;
    this.#index = buildIndex(closed);
  }

  /** `state` is that of a check without the open key. @throws when the regex crate fails. */
  narrow(state: CheckState): Narrowed {
    const allowed: Range[] = [];
    const denied: Range[] = [];
    /** By inverted policy: where it may have a statement that matches; null where one surely does. */
    const inverted = new Map<number, Range[] | null>();
    for (const { policy: index, open, needsEqualMacros } of this.#matchedParts(state)) {
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
    this.#policies.forEach(({ policy: { invert, deny } }, index) => {
      if (!invert) return;
      const ranges = inverted.get(index);
      // An inverted allow allows where no statement matches, which is nowhere if one does everywhere.
      if (!deny && ranges !== null) allowed.push(EVERYTHING);
      if (deny && ranges !== null) required.push(union(ranges ?? []));
    });
    return { allowed, denied, required };
  }

  /** The condition under which a check allows what the search leaves open. @throws as `narrow`. */
  plan(state: CheckState): Planned {
    const byPolicy = new Map<number, Filter[]>();
    for (const { policy, statement, open, needsEqualMacros } of this.#matchedParts(state)) {
      const ready = this.#policies[policy] as ReadyPolicy;
      const filter = filterOf({
        rules: open,
        patterns: ready.policy.statements[statement]?.rules ?? {},
        needsEqualMacros,
        unresolvedMatches: ready.statements[statement]?.unresolvedMatches ?? true,
        user: state.macros.user as string,
      });
      const before = byPolicy.get(policy);
      if (before === undefined) byPolicy.set(policy, [filter]);
      else before.push(filter);
    }
    const planned: Planned = { allow: [], deny: [] };
    this.#policies.forEach(({ policy: { invert, deny } }, index) => {
      const some = byPolicy.get(index);
      if (some === undefined && !invert) return;
      const matches = anyOf(some ?? []);
      planned[deny ? 'deny' : 'allow'].push(invert ? notOf(matches) : matches);
    });
    return planned;
  }

  /** The statements whose known rules match. */
  #matchedParts(state: CheckState): readonly Part[] {
    const matched: Part[] = [];
    const found: Found = {
      limit: Infinity,
      add: (ordinal) => void matched.push(this.#parts[ordinal] as Part),
    };
    search(this.#index, state, found);
    return matched;
  }

  /**
   * Where these rules may match, by the one about the open key. `isWhole`: they match everywhere there, and
   * say nothing else.
   */
  #rangeOf(open: readonly Rule[], macros: MacroValues): { readonly range: Range; readonly isWhole: boolean } {
    const rule = open.find(({ key }) => key === this.#searched);
    if (rule === undefined) return { range: EVERYTHING, isWhole: open.length === 0 };
    const { range, isWhole } = anchorOf(rule, macros, OPEN[this.#searched].macro);
    return { range, isWhole: isWhole && open.length === 1 };
  }
}

/** The texts that the narrowed policies of several domains leave together. */
export function combineNarrowed(parts: readonly Narrowed[]): readonly Range[] {
  const allowed = union(parts.flatMap((part) => part.allowed));
  const required = parts.flatMap((part) => part.required).reduce(intersect, allowed);
  return subtract(required, union(parts.flatMap((part) => part.denied)));
}

interface Anchored {
  readonly range: Range;
  /** The rule matches everything in the range. */
  readonly isWhole: boolean;
}

/** Where a rule may match while one macro has no value yet. */
function anchorOf({ matcher }: Rule, macros: MacroValues, unknown: MacroName): Anchored {
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
        unknown,
      );
      return begin(known.text, false);
    }
    case 'regex':
      return begin(matcher.slot.prefix, false);
    case 'template': {
      if (matcher.literal !== 'exact' && matcher.literal !== 'prefix') return begin('', false);
      const { text, isWhole } = readKnown(matcher.parts, macros, unknown);
      if (!isWhole) return begin(text, false);
      return matcher.literal === 'exact' ? { range: exactly(text), isWhole } : begin(text, isWhole);
    }
    case 'expanded': {
      if (!readKnown(matcher.parts, macros, unknown).isWhole) return begin('', false);
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
  unknown: MacroName,
): { readonly text: string; readonly isWhole: boolean } {
  let text = '';
  for (const part of parts) {
    if (part === null) return { text, isWhole: false };
    const value =
      typeof part === 'string'
        ? part
        : part.macro === unknown
          ? undefined
          : part.macro === 'current_user'
            ? macros.user
            : macros.owner;
    if (value === undefined) return { text, isWhole: false };
    text += value;
  }
  return { text, isWhole: true };
}
