import { domainOfObject } from '@platform/decide/object-uri';
import type { MacroValues } from '@platform/decide/parts';
import { respelledUuid } from './check-context.ts';
import {
  macrosOf,
  matches,
  type Choices,
  type Chosen,
  type Fact,
  type FactRule,
  type FactStatement,
} from './facts.ts';
import { SINGLE } from './neighborhood.ts';
import { FRESH, graphOf, objectsOf } from './sample-pattern.ts';
import type { Budget, Gap } from './search-budget.ts';
import { intersect, textsThrough, type TextGraph } from './text-graph.ts';
import { textOutside, textsFrom, textsOf, type Texts } from './text-outside.ts';

/** Texts tried for one key, and how many of them are tried together. */
const TEXTS_MAX = 300;
const PAIRED_MAX = 10;
/** Pairs of values that are tried for one key of what is shown. */
const PAIRS_MAX = 1_000;
/** Patterns of one key that are tried against each other. */
const CROSSED_MAX = 40;
/** Steps that looking for texts outside other patterns may take for one key, and how many cost a test. */
const OUTSIDE_STEPS_MAX = 300_000;
const STEPS_OF_TEST = 10;
/** Such steps for texts of a regex outside others, where each takes longer. */
const REGEX_STEPS_MAX = 150_000;
/** Texts of a pattern that are tried: of the statement that is shown, and of another. */
const SAMPLES_MAX = 24;
const OTHER_SAMPLES_MAX = 4;
/** What a regular expression with macros costs, which is compiled anew for each user and owner. */
const EXPANDED_TESTS = 5_000;
/** A name within no other value, where a regex asks whether a value holds the name of the user or owner. */
const LONG_NAME = 'nobody-of-that-name';
const ALPHABET = Array.from('qzjxkvwyhgubpnmtrsofecliad7398240156QZJXKV');
const CURRENT_USER = '$current_user()';
const NO_MACROS: MacroValues = { user: undefined, owner: undefined };

/** What a search for a request that `goal` matches chooses values for. */
interface Sought {
  readonly domainId: string;
  readonly goal: Fact;
  /** The statement of `goal` where it has but one. */
  readonly statement: FactStatement | null;
  /** The other facts that may match the request. */
  readonly others: readonly Fact[];
  /** Whether a value for the goal and one for another fact may show together what neither shows alone. */
  readonly needsOther: boolean;
}

/**
 * The values that a search tries for each key of a request: what patterns name, what lies beside them and
 * what two of them share, one for each set of patterns that values match.
 */
export class WitnessValues {
  /** Why requests may be left that these values do not show; null where there are none. */
  gap: Gap | null = null;
  /** The keys that patterns ask for, in the order in which values are chosen. */
  readonly keys: readonly string[];
  readonly #sought: Sought;
  readonly #budget: Budget;
  readonly #rules = new Map<string, FactRule[]>();
  readonly #known = new Map<string, readonly Chosen[]>();

  constructor(sought: Sought, budget: Budget) {
    this.#sought = sought;
    this.#budget = budget;
    const { goal, others, statement } = sought;
    let usesOwner = false;
    for (const fact of [goal, ...others]) {
      for (const { rules } of fact.statements) {
        for (const one of rules) {
          const { key } = one.rule;
          const ofKey = this.#rules.get(key) ?? [];
          this.#rules.set(key, ofKey);
          if (!ofKey.includes(one)) ofKey.push(one);
          usesOwner ||= one.rule.usesOwner;
          this.#judge(one, fact);
        }
      }
    }
    const own = statement === null ? [] : statement.byKey.keys();
    this.keys = [
      ...new Set([
        'subject',
        ...(usesOwner ? ['owner'] : []),
        ...own,
        'object',
        'action',
        ...this.#rules.keys(),
      ]),
    ];
  }

  /** What of this a search cannot tell whole. */
  #judge({ rule }: FactRule, { invert }: Fact): void {
    const { kind } = rule.matcher;
    if (kind === 'regex' || kind === 'expanded') this.gap ??= 'regex';
    else if (rule.usesUser || rule.usesOwner) this.gap ??= 'macros';
    else if (kind !== 'exact' && kind !== 'prefix') this.gap ??= 'wildcards';
    // Each inverted policy may ask for one more value of a key.
    else if (invert && !SINGLE.has(rule.key)) this.gap ??= 'inverted';
  }

  /** Values of a key that differ in which patterns they match; absence first where the goal has no say. */
  of(key: string, choices: Choices): readonly Chosen[] {
    const macros = macrosOf(choices);
    const rules = this.#rules.get(key) ?? [];
    const hangs = rules.some(({ rule }) => rule.usesUser || rule.usesOwner);
    const id = hangs ? JSON.stringify([key, macros.user, macros.owner ?? null]) : key;
    let values = this.#known.get(id);
    if (values === undefined) this.#known.set(id, (values = this.#propose(key, rules, macros)));
    return values;
  }

  #propose(key: string, ofKey: readonly FactRule[], macros: MacroValues): Chosen[] {
    const rules = ofKey.filter(
      ({ rule }) =>
        !(rule.usesUser && macros.user === undefined) && !(rule.usesOwner && macros.owner === undefined),
    );
    const texts = new Set<string>();
    const isObject = key === 'object';
    const add = (text: string | null) => {
      if (text === null || texts.size >= TEXTS_MAX || text.includes('\0')) return;
      // Whether an account has the id, which checks then refuse in this spelling, is not known here.
      if (key === 'subject' && respelledUuid(text) !== null) {
        this.gap ??= 'spelling';
        return;
      }
      if (isObject ? domainOfObject(text) === this.#sought.domainId : !SINGLE.has(key) || text !== '')
        texts.add(text);
      else if (isObject && !text.startsWith('svc://')) add(text.startsWith('/') ? null : this.#base + text);
    };
    const literals = rules.flatMap(({ rule: { matcher } }) => ('text' in matcher ? [matcher.text] : []));
    const beside = (start: string) => {
      const last = ALPHABET.find((char) => !literals.some((text) => text.startsWith(start + char)));
      if (last === undefined) this.gap ??= 'too_many';
      else add(start + last);
    };
    const within = isObject ? objectsOf(this.#sought.domainId) : undefined;
    const own = this.#sought.statement?.byKey.get(key);
    const ordered =
      own === undefined
        ? rules
        : [own, ...rules.filter((one) => one !== own)].filter((one) => rules.includes(one));
    const addCommon = (one: TextGraph, other: TextGraph, max = 1) => {
      const common = intersect(one, other);
      this.#budget.left -= common.length;
      for (const text of textsThrough(common, max)) add(text);
    };
    const addRule = (one: FactRule) => {
      const { matcher } = one.rule;
      const max = one === own ? SAMPLES_MAX : OTHER_SAMPLES_MAX;
      if (matcher.kind === 'prefix') {
        const start = isObject && this.#base.startsWith(matcher.text) ? this.#base : matcher.text;
        beside(start);
      }
      const graph = graphOf(one, macros);
      if (graph !== null && within !== undefined) addCommon(graph, within, max);
      else if (graph !== null) for (const text of textsThrough(graph, max)) add(text);
    };
    if (own !== undefined && rules.includes(own)) addRule(own);
    beside(isObject ? this.#base : '');
    for (const fresh of FRESH) add(isObject ? this.#base + fresh : fresh);
    if (key === 'owner' || key === 'subject') add(LONG_NAME);
    if (key === 'owner' && macros.user !== undefined) add(macros.user);
    const owned = key === 'subject' ? this.#ownSubjects(ofKey) : [];
    for (const text of owned) add(text);
    for (const one of ordered) if (one !== own) addRule(one);
    const loose = ordered
      .filter(({ rule: { matcher } }) => matcher.kind !== 'exact')
      .slice(0, CROSSED_MAX)
      .flatMap((one) => {
        const graph = graphOf(one, macros);
        return graph === null ? [] : [{ one, graph }];
      });
    for (const [index, { one, graph }] of loose.entries()) {
      const isOwn = one === own;
      const left = isOwn && within !== undefined ? intersect(graph, within) : graph;
      for (const other of loose.slice(index + 1)) {
        // Graphs of regexes are large, and worth their time with what the search is about.
        const isPlain = one.engine !== 'regex' && other.one.engine !== 'regex';
        if (isPlain || isOwn) addCommon(left, other.graph);
      }
    }
    // What the search is about may begin where wildcards of others end.
    const others = loose.filter(({ one }) => one !== own).flatMap(({ one }) => textsOf(one, macros) ?? []);
    const all = own === undefined ? textsFrom('') : textsOf(own, macros);
    const addOutside = (inner: Texts, groups: readonly (readonly Texts[])[], most: number) => {
      const around = within ? textsWithin(inner, within, this.#base) : inner;
      const steps = { left: most };
      for (const some of groups) add(textOutside(around, some, steps) ?? null);
      this.#budget.left -= (most - steps.left) / STEPS_OF_TEST;
    };
    const first = (some: readonly Texts[]) => some.slice(0, PAIRED_MAX).map((other) => [other]);
    if (all !== null && others.length > 0) addOutside(all, [others, ...first(others)], OUTSIDE_STEPS_MAX);
    const ownGraph = own?.engine === 'regex' ? loose.find(({ one }) => one === own)?.graph : undefined;
    if (own !== undefined && ownGraph !== undefined) {
      const matched = [...texts].filter((text) => matches(own, text, macros));
      // Where all of these are of another regex as well, it takes a search for one that is not.
      const covering = loose.filter(
        ({ one }) =>
          one.engine === 'regex' &&
          one.pattern !== own.pattern &&
          matched.every((text) => matches(one, text, macros)),
      );
      const read = covering.map(({ graph }) => textsIn(graph));
      if (read.length > 0) addOutside(textsIn(ownGraph), first(read), REGEX_STEPS_MAX);
    }
    if (texts.size >= TEXTS_MAX) this.gap = 'too_many';
    const values = this.#tell(key, [...texts], rules, macros, own);
    const isOpen = own === undefined || !rules.includes(own);
    return isOpen ? [...new Set([...values, ...owned.filter((text) => texts.has(text))])] : values;
  }

  /** Which rules of the subject that was chosen hold with this owner. */
  #subjectRulesOf(key: string, owner: Chosen, { user }: MacroValues): string {
    if (key !== 'owner' || user === undefined || typeof owner !== 'string') return '';
    return (this.#rules.get('subject') ?? [])
      .filter(({ rule }) => rule.usesOwner && rule.matcher.kind !== 'expanded')
      .map((one) => matches(one, user, { user, owner }))
      .join();
  }

  /**
   * Subjects that macros ask for, as owners and objects are chosen after them: what `$resource_owner()` makes
   * of the owners that rules name, these owners where a user is compared with them, and what named texts have
   * in the place of `$current_user()`.
   */
  #ownSubjects(ofSubject: readonly FactRule[]): string[] {
    const rules = [...this.#rules.values()].flat();
    const usesUser = rules.some(({ rule }) => rule.usesUser);
    const own = ofSubject.filter(({ rule }) => rule.usesOwner && !rule.usesUser);
    if (!usesUser && own.length === 0) return [];
    const named = this.#textsNamed('owner');
    return [
      ...own.flatMap((one) =>
        [...named, FRESH[0]].flatMap((owner) => sampleTexts(one, { ...NO_MACROS, owner })),
      ),
      ...(usesUser ? named : []),
      ...[...this.#rules.keys()].flatMap((key) => this.#usersIn(key)),
    ].slice(0, CROSSED_MAX);
  }

  /** Texts of the key that patterns without macros match. */
  #textsNamed(key: string): string[] {
    const named = (this.#rules.get(key) ?? []).filter((one) => !usesMacro(one));
    return named.slice(0, PAIRED_MAX).flatMap((one) => sampleTexts(one, NO_MACROS));
  }

  /** What texts of the key that rules name have where other rules have `$current_user()`. */
  #usersIn(key: string): string[] {
    const templates = (this.#rules.get(key) ?? []).filter(({ rule }) => rule.usesUser && !rule.usesOwner);
    if (templates.length === 0) return [];
    const texts = this.#textsNamed(key);
    return templates.flatMap(({ pattern }) => {
      const [before, after] = pattern.split(CURRENT_USER, 2) as [string, string];
      const rests = texts.flatMap((text) => (text.startsWith(before) ? [text.slice(before.length)] : []));
      return rests.flatMap((rest) => [rest, rest.split(after.slice(0, 1) || '/', 1)[0]!]);
    });
  }

  /** One value for each set of patterns that values match. */
  #tell(
    key: string,
    texts: readonly string[],
    rules: readonly FactRule[],
    macros: MacroValues,
    own: FactRule | undefined,
  ): Chosen[] {
    const compiling = rules.filter(({ rule }) => rule.matcher.kind === 'expanded').length;
    this.#budget.left -= texts.length * rules.length + compiling * EXPANDED_TESTS;
    const classes = new Map<string, Chosen>();
    const tell = (value: Chosen) => {
      const matched = rules.flatMap((rule, index) => (matches(rule, value, macros) ? [index] : []));
      // What the owner is says more than what it matches.
      const whose =
        key === 'owner' || key === 'subject'
          ? `${this.#subjectRulesOf(key, value, macros)} ${value === macros.user || Array.isArray(value)} ${value === LONG_NAME}`
          : '';
      const id = `${matched.join()} ${whose}`;
      if (!classes.has(id)) classes.set(id, value);
    };
    if (!SINGLE.has(key)) tell(null);
    for (const text of texts) tell(text);
    const isResolved = own !== undefined && rules.includes(own);
    if (!SINGLE.has(key)) {
      const singles = [...classes.values()].filter((value) => typeof value === 'string');
      const first = singles.slice(0, PAIRED_MAX);
      const mine = isResolved ? singles.filter((value) => matches(own, value, macros)) : [];
      const pairs = isResolved && this.#sought.needsOther ? pairsOf(mine, singles) : pairsOf(first, first);
      if (pairs.length > PAIRS_MAX) this.gap = 'too_many';
      this.#budget.left -= Math.min(pairs.length, PAIRS_MAX) * rules.length;
      for (const pair of pairs.slice(0, PAIRS_MAX)) tell(pair);
      // The same values as several texts give `$resource_owner()` no value.
      if (key === 'owner') for (const one of first) classes.set(`several ${one}`, [one, `${one}-2`]);
    }
    const values = [...classes.values()];
    return isResolved && !this.#sought.goal.invert
      ? values.filter((value) => matches(own, value, macros))
      : values;
  }

  get #base(): string {
    return `svc://${this.#sought.domainId}/`;
  }
}

function usesMacro({ rule }: FactRule): boolean {
  return rule.usesUser || rule.usesOwner;
}

/** A few of the texts that the rule matches, under these macros. */
function sampleTexts(one: FactRule, macros: MacroValues): string[] {
  const graph = graphOf(one, macros);
  return graph === null ? [] : [...textsThrough(graph, OTHER_SAMPLES_MAX)];
}

/** Each of some values with each of others, in any order and once. */
function pairsOf(some: readonly string[], others: readonly string[]): string[][] {
  const left = new Set(others);
  return some.flatMap((one) => {
    left.delete(one);
    return Array.from(left, (other) => [one, other]);
  });
}

/** The texts of a graph, which may begin with anything. */
function textsIn(edges: TextGraph): Texts {
  return { start: [], edges, chars: [...new Set(edges.flat().flatMap(({ chars }) => chars))] };
}

/** The texts that are objects, too; those begin with `base`. */
function textsWithin({ start, edges, chars }: Texts, objects: TextGraph, base: string): Texts {
  return { start: [...base], edges: intersect(edges, objects), chars: [...start, ...chars, '.'] };
}
