import type { OperationExample } from '@platform/service-kit';
import { SESSION_OPERATIONS } from '../session-api.ts';

/** An operation by its name in the contract, with arguments that work. */
export interface ToldOperation {
  readonly name: string;
  readonly example: object;
}

/**
 * The example of an operation over REST, made of arguments by name: an argument that the path or the query
 * has is a parameter, the others are the body.
 */
export function examplesOf(told: readonly ToldOperation[]): Record<string, OperationExample> {
  return Object.fromEntries(told.map(({ name, example }) => [name, exampleOf(name, { ...example })]));
}

function exampleOf(name: string, values: Readonly<Record<string, unknown>>): OperationExample {
  // The bytes of a file are the body.
  if (name === 'import_file') return { parameters: values, body: values['text'] };
  const route = SESSION_OPERATIONS.find(({ operationId }) => operationId === name);
  if (route === undefined) return { parameters: values, body: values };
  const { bodyField, body } = route;
  if (bodyField !== undefined) {
    const item = values[bodyField] as { readonly id?: unknown };
    return { parameters: { [`${bodyField}_id`]: item.id, ...values }, body: item };
  }
  const fields = Object.keys((body as { shape?: object } | undefined)?.shape ?? {});
  const sent = Object.entries(values).filter(
    ([key]) => fields.includes(key) && !route.path.includes(`{${key}}`),
  );
  return { parameters: values, body: Object.fromEntries(sent) };
}
