import { DomainError, describeIssue } from '@platform/error-contracts';
import type { z } from 'zod';

/** Fields that `details` names; then it says how many more there are (decisions page, "Errors"). */
const DETAILS_MAX = 50;
/** A key that the client made up is repeated up to this length. UTF-16 units. */
const NAME_LENGTH_MAX = 200;

/**
 * The input as `schema` reads it; `whole` names a value that is not an object at all. Throws
 * `validation_failed` with every failing field, 50 at most.
 */
export function parseFields(schema: z.ZodType, value: unknown, whole = 'body'): unknown {
  const parsed = schema.safeParse(value, { error: describeIssue });
  if (parsed.success) return parsed.data;
  const problems = new Map<string, string>();
  for (const issue of parsed.error.issues.flatMap(ofMeantForm)) {
    const path = issue.path.join('.');
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) problems.set(path === '' ? key : `${path}.${key}`, 'is not a field here');
    } else {
      const field = path === '' ? whole : path;
      if (!problems.has(field)) problems.set(field, issue.message);
    }
  }
  throw fieldsRefused(problems);
}

/**
 * The issues of the one form whose fields the client sent, where a value may have several forms; else the
 * issue itself, which lists the forms.
 */
function ofMeantForm(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const [meant, ...others] = issue.errors.filter((form) =>
    form.every(({ code, path }) => code !== 'unrecognized_keys' && path.length > 0),
  );
  if (meant === undefined || others.length > 0) return [issue];
  return meant.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The error of one failing field. */
export function fieldRefused(field: string, problem: string): DomainError {
  return fieldsRefused(new Map([[field, problem]]));
}

function fieldsRefused(problems: ReadonlyMap<string, string>): DomainError {
  const details: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const [field, problem] of [...problems].slice(0, DETAILS_MAX)) details[shortened(field)] = problem;
  const more = problems.size - DETAILS_MAX;
  if (more > 0) details['...'] = `${more} more fields are not right`;
  const [[field, problem]] = problems as unknown as [[string, string]];
  return new DomainError('validation_failed', `\`${shortened(field)}\`: ${problem}`, { details });
}

function shortened(name: string): string {
  return name.length <= NAME_LENGTH_MAX ? name : `${name.slice(0, NAME_LENGTH_MAX).toWellFormed()}…`;
}
