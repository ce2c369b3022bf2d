import { capital } from '@platform/viewer/browser';

/** A problem of the input: its path, such as `claims[2].actor_id`, and how to fix it. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

/** A field's path: names with indices and quoted keys, parted by dots. `$` is the whole body. */
const PROBLEM = /^(\$|[A-Za-z_]\w*(?:\[(?:\d+|"(?:[^"\\]|\\.)*")\]|\.\w+)*): (.+)$/;

/** The lines of a 422 that name a field, and the other ones. */
export function readProblems(text: string): { problems: Problem[]; others: string[] } {
  const problems: Problem[] = [];
  const others: string[] = [];
  for (const line of text.split('\n')) {
    const [, path, message] = PROBLEM.exec(line) ?? [];
    if (path !== undefined && message !== undefined) problems.push({ path, message });
    else if (line.trim() !== '') others.push(line);
  }
  return { problems, others };
}

/** Whether a path is that of a field or of a part of it. */
export const isWithin = (path: string, field: string): boolean =>
  path === field || path.startsWith(`${field}.`) || path.startsWith(`${field}[`);

/**
 * The messages of all problems at a field and at parts of it, as sentences; undefined where there are none.
 * `shown` are the parts whose problems a control of their own shows.
 */
export function errorAt(
  problems: readonly Problem[],
  field: string,
  shown: readonly string[] = [],
): string | undefined {
  const found = problems
    .filter(({ path }) => isWithin(path, field) && !shown.some((part) => isWithin(path, part)))
    .map(({ path, message }) =>
      path === field
        ? sentence(message)
        : sentence(`${path.slice(field.length).replace(/^\./, '')}: ${message}`),
    );
  return found.length > 0 ? found.join(' ') : undefined;
}

/** The checker's message as it reads next to a control, where the type of the value goes without saying. */
function sentence(message: string): string {
  if (message.startsWith('is required')) return 'Fill this in.';
  return `${capital(message)}${message.endsWith('.') ? '' : '.'}`;
}
