import type { Method } from '../data-set.ts';
import { best } from './shared.ts';
import { mulberry32 } from '../random.ts';

const ROUNDS = 20;

/**
 * Iterative message passing between items and sources, for yes/no questions; states no probability. Messages
 * start at normal draws around 1. Source: D. R. Karger, S. Oh, D. Shah, Iterative learning for reliable
 * crowdsourcing systems, NIPS 2011.
 */
export const kos: Method = (question) => {
  const next = mulberry32(1);
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  const edges = question.items.flatMap(({ values, votes }, item) =>
    votes.map(({ source, value }) => ({
      item,
      source,
      sign: values[value] === question.classes[1] ? 1 : -1,
    })),
  );
  const toItem = Float64Array.from(edges, () => 1 + normal());
  const toSource = new Float64Array(edges.length);
  const byItem = new Float64Array(question.items.length);
  const bySource = new Float64Array(question.sourceCount);
  for (let round = 0; round < ROUNDS; round++) {
    byItem.fill(0);
    edges.forEach(({ item, sign }, e) => (byItem[item]! += sign * toItem[e]!));
    edges.forEach(({ item, sign }, e) => (toSource[e] = byItem[item]! - sign * toItem[e]!));
    bySource.fill(0);
    edges.forEach(({ source, sign }, e) => (bySource[source]! += sign * toSource[e]!));
    let scale = 0;
    edges.forEach(({ source, sign }, e) => {
      toItem[e] = bySource[source]! - sign * toSource[e]!;
      scale = Math.max(scale, Math.abs(toItem[e]));
    });
    // Only the signs of the sums count; without scaling the messages overflow.
    for (let e = 0; e < edges.length; e++) toItem[e]! /= scale || 1;
  }
  byItem.fill(0);
  edges.forEach(({ item, sign }, e) => (byItem[item]! += sign * toItem[e]!));
  return question.items.map(({ values }, i) => {
    if (values.length === 0) return null;
    const scores = values.map((value) => (value === question.classes[1] ? byItem[i]! : -byItem[i]!));
    return {
      value:
        values.length === 1 && scores[0]! < 0 ? other(question.classes, values[0]!) : values[best(scores)]!,
      probability: null,
    };
  });
};

function other(classes: readonly string[], value: string): string {
  return classes.find((name) => name !== value)!;
}
