/** One thing wrong with an input: where, as `claims[2].actor_id`, and what to do about it. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** Problems listed at most; the rest are counted. Reasoning model §2. */
const PROBLEMS_MAX = 50;

/**
 * The input cannot be judged. `problems` lists what is wrong in the order of the input, at most PROBLEMS_MAX
 * of `total`.
 */
export class InvalidInvestigation extends Error {
  override readonly name = 'InvalidInvestigation';
  readonly problems: readonly Problem[];
  readonly total: number;

  constructor(problems: readonly Problem[], total = problems.length) {
    const lines = problems.slice(0, PROBLEMS_MAX).map((problem) => `${problem.path}: ${problem.message}`);
    if (total > lines.length) lines.push(`and ${total - lines.length} more`);
    super(lines.join('\n'));
    this.problems = problems.slice(0, PROBLEMS_MAX);
    this.total = total;
  }
}

/** Gathers problems: keeps the first PROBLEMS_MAX and counts the rest. */
export class Problems {
  readonly list: Problem[] = [];
  total = 0;

  /** A message that takes time to write is given as a function, called where the problem is listed. */
  add(path: string, message: string | (() => string)): void {
    this.total += 1;
    if (this.list.length >= PROBLEMS_MAX) return;
    this.list.push({ path, message: typeof message === 'string' ? message : message() });
  }
}
