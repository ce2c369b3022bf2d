import { parser } from '@prometheus-io/lezer-promql';

/** A metric that a PromQL expression reads, and the labels it is selected by. */
export interface Selector {
  readonly metric: string;
  /** Label names with the value of an equality, null for any other comparison. */
  readonly labels: ReadonlyMap<string, string | null>;
}

/** The names in an expression. */
export interface Expression {
  readonly selectors: readonly Selector[];
  /** Labels that the result keeps: those of `by (…)`. */
  readonly grouping: ReadonlySet<string>;
}

/**
 * Returns the metrics and labels that a PromQL expression names, read by Prometheus' own grammar. Grafana's
 * variables (`$__rate_interval`) stand for durations. Throws an Error for text that is not PromQL or names no
 * metric.
 */
export function readExpression(text: string): Expression {
  const promql = text.replaceAll(/\$__\w+/g, '5m');
  const selectors: { metric: string; labels: Map<string, string | null> }[] = [];
  const grouping = new Set<string>();
  let label = '';
  parser.parse(promql).iterate({
    enter: ({ type, from, to, node }) => {
      const found = promql.slice(from, to);
      if (type.isError) throw new Error(`not PromQL at \`${promql.slice(from, from + 20)}\`: ${text}`);
      const matchers = selectors.at(-1)?.labels;
      if (type.name === 'VectorSelector') selectors.push({ metric: '', labels: new Map() });
      else if (type.name === 'Identifier' && node.parent?.name === 'VectorSelector')
        (selectors.at(-1) as { metric: string }).metric = found;
      else if (type.name === 'LabelName' && node.parent?.name === 'GroupingLabels') grouping.add(found);
      else if (type.name === 'LabelName') matchers?.set((label = found), null);
      else if (type.name === 'StringLiteral' && node.prevSibling?.firstChild?.name === 'EqlSingle')
        matchers?.set(label, JSON.parse(found) as string);
    },
  });
  if (selectors.length === 0) throw new Error(`no metric in ${text}`);
  return { selectors, grouping };
}
