/** A metric that a PromQL expression reads, and the labels it is selected by. */
export interface Selector {
  readonly metric: string;
  /** Label names with the value of an equality, null for any other comparison. */
  readonly labels: ReadonlyMap<string, string | null>;
}

/** What an expression names. */
export interface Expression {
  readonly selectors: readonly Selector[];
  /** Labels that the result keeps: those of `by (…)`. */
  readonly grouping: ReadonlySet<string>;
}

const KEYWORDS = new Set(['by', 'on', 'ignoring', 'without', 'group_left', 'group_right']);
const OPERATORS = new Set(['and', 'or', 'unless', 'bool', 'offset']);
/** One token: string, number or duration, name, a matcher's or arithmetic operator, bracket. */
const TOKEN =
  /\s*("(?:[^"\\]|\\.)*"|\$[a-z_]+|[0-9]+(?:\.[0-9]+)?[a-z]*|[a-zA-Z_:][a-zA-Z0-9_:]*|=~|!~|!=|==|>=|<=|[-+*/%^<>=(){}[\],])/y;

/**
 * Reads the names out of a PromQL expression: enough of its grammar for aggregations, functions, range vectors, matchers
 * and arithmetic. Throws an Error for brackets that do not match and characters that are not PromQL.
 */
export function readExpression(text: string): Expression {
  const tokens = tokensOf(text);
  const selectors: Selector[] = [];
  const grouping = new Set<string>();
  const open: string[] = [];
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as string;
    if ('([{'.includes(token)) open.push(token);
    else if (')]}'.includes(token)) {
      if (open.pop() !== { ')': '(', ']': '[', '}': '{' }[token])
        throw new Error(`stray ${token} in ${text}`);
    } else if (KEYWORDS.has(token)) {
      const end = tokens.indexOf(')', at);
      if (tokens[at + 1] !== '(' || end === -1) throw new Error(`${token} without labels in ${text}`);
      for (const label of tokens.slice(at + 2, end)) if (label !== ',') grouping.add(label);
      at = end;
    } else if (/^[a-zA-Z_:]/.test(token) && !OPERATORS.has(token)) {
      const next = tokens[at + 1];
      // A function or an aggregation, whose grouping may stand before what it aggregates.
      if (next === '(' || KEYWORDS.has(next ?? '')) continue;
      if (next !== '{') selectors.push({ metric: token, labels: new Map() });
      else {
        const end = tokens.indexOf('}', at);
        if (end === -1) throw new Error(`stray { in ${text}`);
        selectors.push({ metric: token, labels: matchersOf(tokens.slice(at + 2, end), text) });
        at = end;
      }
    }
  }
  if (open.length > 0) throw new Error(`stray ${open[0]} in ${text}`);
  if (selectors.length === 0) throw new Error(`no metric in ${text}`);
  return { selectors, grouping };
}

function tokensOf(text: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  const end = text.trimEnd().length;
  for (let at = 0; at < end; at = TOKEN.lastIndex) {
    const [, token] = TOKEN.exec(text) ?? [];
    if (token === undefined) throw new Error(`not PromQL at \`${text.slice(at, at + 20)}\``);
    tokens.push(token);
  }
  return tokens;
}

function matchersOf(tokens: readonly string[], text: string): Map<string, string | null> {
  const labels = new Map<string, string | null>();
  for (let at = 0; at < tokens.length; at += 4) {
    const [name, operator, value, comma] = tokens.slice(at, at + 4) as [string, string, string, string?];
    const isMatcher = ['=', '!=', '=~', '!~'].includes(operator) && value?.startsWith('"');
    if (!isMatcher || (comma !== undefined && comma !== ','))
      throw new Error(`bad matcher ${name} in ${text}`);
    labels.set(name, operator === '=' ? (JSON.parse(value) as string) : null);
  }
  return labels;
}
