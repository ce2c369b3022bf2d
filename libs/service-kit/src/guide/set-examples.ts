import type { OpenApiDocument } from './openapi-document.ts';

/** Values of an operation's example: of its parameters by name, and of its body. */
export interface OperationExample {
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** The document, changed so that parameters and bodies have these values, by `operationId`. */
export function setExamples<T extends object>(
  document: T,
  examples: Readonly<Record<string, OperationExample>>,
): T {
  const { paths } = document as unknown as OpenApiDocument;
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    const { parameters = {}, body } = examples[operation.operationId] ?? {};
    for (const parameter of operation.parameters ?? [])
      if (parameters[parameter.name] !== undefined)
        Object.assign(parameter, { example: parameters[parameter.name] });
    if (body === undefined) continue;
    for (const content of Object.values(operation.requestBody?.content ?? {}))
      Object.assign(content, { example: body });
  }
  return document;
}
