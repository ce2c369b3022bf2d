import type { RegexMemo, RegexSetRunner } from './regex-memo.ts';
import { testRule, isResolved, type Anchor, type CheckState, type Rule } from './rule.ts';

/**
 * Finds the statements that match a context at a cost that grows with what could match, not with their
 * number: a tree in which every level looks one context key up, by hash (exact values), by trie (prefixes) or
 * by a set of regexes. Each statement goes down by the rule fewest others share; what is left of its rules
 * when it reaches a leaf is tested there.
 *
 * INVARIANT (anchor-sound): a statement is reached in every context in which it matches. It is looked up
 * only by rules without macros, whose failure fails the statement whatever its other rules are.
 */
export interface IndexedStatement {
  /** Position of its policy in the domain. */
  readonly ordinal: number;
  readonly rules: readonly Rule[];
  /** Whether an unresolved macro counts as a match, see `compileDomain`. */
  readonly unresolvedMatches: boolean;
  /** Uses both macros: the statement is the test that they are equal, besides its rules. */
  readonly needsEqualMacros: boolean;
}

/** Below so many statements a look-up costs more than testing them. */
const LEAF_MAX = 4;

/** Rank of a test by its price, so that a cheap rule fails a statement before a dear one runs. */
const COST: Record<Rule['matcher']['kind'], number> = {
  exact: 0,
  prefix: 1,
  suffix: 1,
  contains: 2,
  line: 2,
  template: 3,
  glob: 4,
  regex: 5,
  expanded: 6,
};

/** A statement on its way down: the rules not yet proven, and those of them not yet used as an anchor. */
interface Entry {
  readonly statement: IndexedStatement;
  readonly rest: readonly Rule[];
  readonly open: readonly Rule[];
}

export interface IndexNode {
  /** Lowest ordinal at or below this node. */
  readonly min: number;
  /** Statements to test here, by ordinal. */
  readonly leaf: readonly LeafStatement[];
  readonly keys: readonly KeyIndex[];
}

/**
 * A statement with the rules that are left to test, in one object: among very many statements a decision
 * costs as many cache misses as it touches objects that no decision before it did.
 */
interface LeafStatement extends Omit<IndexedStatement, 'rules'> {
  readonly rest: readonly Rule[];
}

const NO_KEYS: readonly KeyIndex[] = [];
const NO_LEAF: readonly LeafStatement[] = [];
const NO_CHILDREN: ReadonlyMap<string, TrieNode> = new Map();

interface KeyIndex {
  readonly key: string;
  readonly exact: ReadonlyMap<string, IndexNode> | null;
  readonly prefix: TrieNode | null;
  readonly regex: { readonly set: RegexSetRunner; readonly byIndex: ReadonlyMap<number, IndexNode> }[] | null;
}

/**
 * A trie that takes as many characters at a step as the shortest prefix below still needs: prefixes of equal
 * length are one hash look-up, and no value takes more steps than its prefixes have lengths.
 */
interface TrieNode {
  /** What is found when a prefix ends here. */
  readonly below: IndexNode | null;
  /** Characters to the next nodes; 0 for none. */
  readonly stride: number;
  readonly children: ReadonlyMap<string, TrieNode>;
}

/** Builds the tree. Regex anchors must have their sets (`RegexBank.build`) already. */
export function buildIndex(statements: readonly IndexedStatement[]): IndexNode {
  return buildNode(
    statements.map((statement) => {
      const { rules } = statement;
      const rest =
        rules.length > 1 ? [...rules].sort((a, b) => COST[a.matcher.kind] - COST[b.matcher.kind]) : rules;
      return { statement, rest, open: rules };
    }),
  );
}

function buildNode(entries: readonly Entry[]): IndexNode {
  const min = entries.reduce((low, { statement }) => Math.min(low, statement.ordinal), Infinity);
  if (entries.length <= LEAF_MAX) return { min, leaf: byOrdinal(entries), keys: NO_KEYS };
  const shared = countAnchors(entries);
  const leaf: Entry[] = [];
  const groups = new Map<
    string,
    {
      exact: Map<string, Entry[]>;
      prefix: Map<string, Entry[]>;
      regex: Map<RegexSetRunner, Map<number, Entry[]>>;
    }
  >();
  for (const entry of entries) {
    const rule = chooseAnchor(entry, shared);
    if (rule === null) {
      leaf.push(entry);
      continue;
    }
    const anchor = rule.anchor as Anchor;
    const group = getOr(groups, rule.key, () => ({ exact: new Map(), prefix: new Map(), regex: new Map() }));
    const list =
      anchor.kind === 'regex'
        ? getOr(
            getOr(group.regex, anchor.slot.set, () => new Map<number, Entry[]>()),
            anchor.slot.index,
            () => [],
          )
        : getOr(group[anchor.kind], anchor.text, () => []);
    const isProven = anchor.kind === 'regex' || anchor.decides;
    list.push({
      statement: entry.statement,
      rest: isProven ? entry.rest.filter((other) => other !== rule) : entry.rest,
      open: entry.open.filter((other) => other !== rule),
    });
  }
  const keys = Array.from(groups, ([key, group]): KeyIndex => {
    const exact = new Map(Array.from(group.exact, ([text, list]) => [text, buildNode(list)]));
    return {
      key,
      exact: exact.size > 0 ? exact : null,
      prefix: group.prefix.size > 0 ? buildTrie([...group.prefix], 0) : null,
      regex:
        group.regex.size > 0
          ? Array.from(group.regex, ([set, lists]) => ({
              set,
              byIndex: new Map(Array.from(lists, ([index, list]) => [index, buildNode(list)])),
            }))
          : null,
    };
  });
  return { min, leaf: byOrdinal(leaf), keys };
}

function byOrdinal(entries: readonly Entry[]): readonly LeafStatement[] {
  if (entries.length === 0) return NO_LEAF;
  return entries
    .map(({ statement: { ordinal, unresolvedMatches, needsEqualMacros }, rest }) => {
      // Copied, so that it lies beside its statement.
      return { ordinal, unresolvedMatches, needsEqualMacros, rest: rest.slice() };
    })
    .sort((a, b) => a.ordinal - b.ordinal);
}

/** How many of the entries have an anchor, by context key, kind and text. */
type AnchorCounts = Map<string, Record<'exact' | 'prefix', Map<string, number>>>;

function countAnchors(entries: readonly Entry[]): AnchorCounts {
  const counts: AnchorCounts = new Map();
  for (const { open } of entries) {
    for (const { key, anchor } of open) {
      if (anchor === null || anchor.kind === 'regex') continue;
      const ofKind = getOr(counts, key, () => ({ exact: new Map(), prefix: new Map() }))[anchor.kind];
      ofKind.set(anchor.text, (ofKind.get(anchor.text) ?? 0) + 1);
    }
  }
  return counts;
}

/** The rule that fewest statements share; exact before prefix, longer prefixes first, regexes last. */
function chooseAnchor(entry: Entry, counts: AnchorCounts): Rule | null {
  let chosen: Rule | null = null;
  let lowest = Infinity;
  for (const rule of entry.open) {
    const { anchor, key } = rule;
    if (anchor === null) continue;
    // A regex is looked up by running it, so its share is larger than any count.
    const share =
      anchor.kind === 'regex'
        ? Number.MAX_VALUE
        : (counts.get(key)?.[anchor.kind].get(anchor.text) as number) +
          (anchor.kind === 'prefix' ? 1 / (1 + anchor.text.length) : 0);
    if (share < lowest) {
      lowest = share;
      chosen = rule;
    }
  }
  return chosen;
}

/** Of prefixes that agree in their first `depth` characters. */
function buildTrie(prefixes: readonly (readonly [string, readonly Entry[]])[], depth: number): TrieNode {
  const ending = prefixes.find(([text]) => text.length === depth);
  if (ending !== undefined && prefixes.length === 1)
    return { below: buildNode(ending[1]), stride: 0, children: NO_CHILDREN };
  let stride = Infinity;
  for (const [text] of prefixes) {
    if (text.length > depth) stride = Math.min(stride, text.length - depth);
  }
  const groups = new Map<string, (readonly [string, readonly Entry[]])[]>();
  if (stride === Infinity) stride = 0;
  for (const prefix of prefixes) {
    if (prefix[0].length > depth)
      getOr(groups, prefix[0].slice(depth, depth + stride), () => []).push(prefix);
  }
  const children = new Map<string, TrieNode>();
  for (const [step, group] of groups) children.set(step, buildTrie(group, depth + stride));
  return { below: ending === undefined ? null : buildNode(ending[1]), stride, children };
}

function getOr<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** Receives the ordinals of matching statements; reports below which ordinal they still matter. */
export interface Found {
  /** Statements at or above it need not be tested. */
  limit: number;
  add(ordinal: number): void;
}

/** Reports every matching statement whose ordinal is below `found.limit`. @throws when the crate fails. */
export function search(node: IndexNode, state: CheckState, found: Found): void {
  if (node.min >= found.limit) return;
  for (const statement of node.leaf) {
    if (statement.ordinal >= found.limit) break;
    if (testStatement(statement, statement.rest, state)) found.add(statement.ordinal);
  }
  for (const index of node.keys) {
    const values = state.context.get(index.key);
    if (values === undefined) continue;
    if (typeof values === 'string') searchValue(index, values, state, found);
    else for (const value of values) searchValue(index, value, state, found);
  }
}

function searchValue(index: KeyIndex, value: string, state: CheckState, found: Found): void {
  const exact = index.exact?.get(value);
  if (exact !== undefined) search(exact, state, found);
  if (index.prefix !== null) searchTrie(index.prefix, value, state, found);
  for (const { set, byIndex } of index.regex ?? []) {
    for (const matched of set.matches(value, state.regexes)) {
      const below = byIndex.get(matched);
      if (below !== undefined) search(below, state, found);
    }
  }
}

function searchTrie(root: TrieNode, value: string, state: CheckState, found: Found): void {
  let node: TrieNode | undefined = root;
  let at = 0;
  while (node !== undefined) {
    if (node.below !== null) search(node.below, state, found);
    const next: number = at + node.stride;
    if (node.stride === 0 || next > value.length) return;
    node = node.children.get(value.slice(at, next));
    at = next;
  }
}

/**
 * Whether all of `rules` match, and the macros are equal where the statement uses both. A rule whose macro is
 * unresolved counts as the statement says.
 */
export function testStatement(
  statement: Pick<IndexedStatement, 'unresolvedMatches' | 'needsEqualMacros'>,
  rules: readonly Rule[],
  state: CheckState,
): boolean {
  const { user, owner } = state.macros;
  if (statement.needsEqualMacros) {
    const isEqual = user === undefined || owner === undefined ? statement.unresolvedMatches : user === owner;
    if (!isEqual) return false;
  }
  for (const rule of rules) {
    const matches = isResolved(rule, state.macros) ? testRule(rule, state) : statement.unresolvedMatches;
    if (!matches) return false;
  }
  return true;
}

/** State of one check over any number of indexes. Without a memo, nothing that it runs pauses. */
export function startCheck(
  context: CheckState['context'],
  macros: CheckState['macros'],
  memo?: RegexMemo,
): CheckState {
  return new StartedCheck(context, macros, memo);
}

/** A class, for the getter of a literal would be defined anew for every check. */
class StartedCheck implements CheckState {
  readonly context: CheckState['context'];
  readonly macros: CheckState['macros'];
  #memo: RegexMemo | undefined;

  constructor(context: CheckState['context'], macros: CheckState['macros'], memo: RegexMemo | undefined) {
    this.context = context;
    this.macros = macros;
    this.#memo = memo;
  }

  /** Few checks come to a regex. */
  get regexes(): RegexMemo {
    return (this.#memo ??= new Map());
  }
}
