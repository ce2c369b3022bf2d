import type { RequestValue } from '@platform/proto/authz/v1/policy';

/** A context of texts and lists of texts, as the messages have it. */
export function requestContext(
  values: Readonly<Record<string, string | readonly string[]>>,
): Map<string, RequestValue> {
  return new Map(
    Object.entries(values).map(([key, value]): [string, RequestValue] => [
      key,
      {
        value:
          typeof value === 'string'
            ? { $case: 'single', value }
            : { $case: 'multiple', value: { values: [...value] } },
      },
    ]),
  );
}
