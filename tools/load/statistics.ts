/** The value below which a share of the samples lies; samples in any order, NaN when there are none. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

/**
 * Slope of `y` over `x` by the estimator of Theil and Sen: the median of the slopes between any two points.
 * Up to 29 % of the points may be anywhere without moving it far, as memory is before and after a collection.
 * NaN for fewer than two points.
 */
export function robustSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const slopes = points.flatMap(([x, y], index) =>
    points
      .slice(index + 1)
      .flatMap(([otherX, otherY]) => (otherX === x ? [] : [(otherY - y) / (otherX - x)])),
  );
  const [below, above] = [quantile(slopes, 0.5 - Number.EPSILON), quantile(slopes, 0.5)];
  return (below + above) / 2;
}
