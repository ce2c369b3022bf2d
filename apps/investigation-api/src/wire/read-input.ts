import { DomainError, describeIssue } from '@platform/error-contracts';
import { nameMeantBy } from '@platform/opinion-fusion';
import { z } from 'zod';

/** Problems named at most; as the engine does it. */
const PROBLEMS_MAX = 50;
/** Characters of a property that its problem names: callers choose the names of some. */
const KEY_MAX = 60;
/** What is wrong with a property that a strict schema lacks. */
export const NOT_A_PROPERTY = 'is not a property known here';

/**
 * The input as the schema has it. Throws DomainError `unprocessable` with every problem and its path, one a
 * line.
 */
export function readInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { error: describeIssue });
  if (parsed.success) return parsed.data;
  // A text where a list belongs is also measured by zod, as if it were the list.
  const mistyped = new Set(
    parsed.error.issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => pathOf(path)),
  );
  const issues = parsed.error.issues.filter(
    ({ code, path }) => code === 'invalid_type' || !mistyped.has(pathOf(path)),
  );
  const lines = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key, index) => {
          const isHinted = issue.path.length === 0 && index < PROBLEMS_MAX;
          return `${pathOf([...issue.path, key])}: ${NOT_A_PROPERTY}${isHinted ? nameHint(key, schema, input) : ''}`;
        })
      : [`${pathOf(issue.path)}: ${issue.message}`],
  );
  throw refuse(lines);
}

/** `: name it …` of a property that has another name at the root of an object. */
function nameHint(key: string, schema: z.ZodType, input: unknown): string {
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const meant = nameMeantBy(
    key.slice(0, KEY_MAX),
    known.filter((name) => !Object.hasOwn(input as object, name)),
  );
  return meant === undefined ? '' : `: name it \`${meant}\``;
}

/** The refusal of an input for these problems, each with its path in front. */
export function refuse(problems: readonly string[]): DomainError {
  const lines = problems.slice(0, PROBLEMS_MAX);
  if (problems.length > lines.length) lines.push(`and ${problems.length - lines.length} more`);
  return new DomainError('unprocessable', lines.join('\n'));
}

/** `claims[2].actor_id`; `$` for the whole. */
function pathOf(path: readonly PropertyKey[]): string {
  let text = '';
  for (const key of path) {
    const named = String(key).slice(0, KEY_MAX);
    if (typeof key === 'number') text += `[${key}]`;
    else text += text === '' ? named : `.${named}`;
  }
  return text === '' ? '$' : text;
}
