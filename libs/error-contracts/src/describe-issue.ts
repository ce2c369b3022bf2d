import type { z } from 'zod';

const ARTICLES: Readonly<Record<string, string>> = {
  array: 'an array',
  boolean: 'a boolean',
  int: 'a whole number',
  number: 'a number',
  object: 'an object',
  string: 'a string',
};

const MEASURES: Readonly<Record<string, string>> = { array: 'have', string: 'have' };
const UNITS: Readonly<Record<string, string>> = { array: ' item', string: ' character' };

function unitOf(origin: string, count: number | bigint): string {
  const unit = UNITS[origin];
  return unit === undefined ? '' : `${unit}${Number(count) === 1 ? '' : 's'}`;
}

/**
 * What is wrong with a field and what to give instead, in the words of all three services; undefined = the
 * schema library's own. An error map of zod: `schema.safeParse(value, { error: describeIssue })`; what a
 * schema says itself goes before it.
 */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'invalid_type': {
      const expected = ARTICLES[issue.expected] ?? issue.expected;
      return issue.input === undefined ? `is required: give ${expected}` : `must be ${expected}`;
    }
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union': {
      // Of a union that is told apart by one field, which `options` are the values of.
      const { options, discriminator } = issue as { options?: unknown[]; discriminator?: string };
      if (options === undefined || discriminator === undefined) return undefined;
      const given = (issue.input as Record<string, unknown>)[discriminator];
      const values = options.map(String).join(', ');
      return given === undefined ? `is required: give one of ${values}` : `must be one of ${values}`;
    }
    case 'too_small':
      return `must ${MEASURES[issue.origin] ?? 'be'} ${issue.inclusive === false ? 'more than' : 'at least'} ${issue.minimum}${unitOf(issue.origin, issue.minimum)}`;
    case 'too_big':
      return `must ${MEASURES[issue.origin] ?? 'be'} ${issue.inclusive === false ? 'less than' : 'at most'} ${issue.maximum}${unitOf(issue.origin, issue.maximum)}`;
    default:
      return undefined;
  }
}
