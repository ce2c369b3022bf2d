/**
 * Steps of the search per path listed: dead ends between simple paths are rare, and cycles must not make them
 * costly.
 */
const STEPS_PER_PATH = 64;

/**
 * Maximal simple paths of two or more nodes from each of `starts`, following `next` (in its order); a path is
 * maximal when each node that could follow is on it already. At most `limit`; `complete` tells whether these
 * are all.
 */
export function maximalPaths<T>(
  starts: readonly T[],
  next: (node: T) => readonly T[],
  limit: number,
): { paths: T[][]; complete: boolean } {
  const paths: T[][] = [];
  let steps = limit * STEPS_PER_PATH;
  for (const start of starts) {
    const path: T[] = [start];
    const onPath = new Set<T>(path);
    const frames: { options: readonly T[]; at: number; extended: boolean }[] = [
      { options: next(start), at: 0, extended: false },
    ];
    while (frames.length > 0) {
      const frame = frames[frames.length - 1]!;
      const option = frame.options[frame.at];
      frame.at += 1;
      if (option !== undefined) {
        if (onPath.has(option)) continue;
        frame.extended = true;
        if ((steps -= 1) < 0) return { paths, complete: false };
        path.push(option);
        onPath.add(option);
        frames.push({ options: next(option), at: 0, extended: false });
        continue;
      }
      if (!frame.extended && path.length > 1) {
        if (paths.length === limit) return { paths, complete: false };
        paths.push([...path]);
      }
      onPath.delete(path.pop()!);
      frames.pop();
    }
  }
  return { paths, complete: true };
}
