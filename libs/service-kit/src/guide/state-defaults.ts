import { nameOf, type OpenApiDocument, type Schema } from './openapi-document.ts';

type Node = Record<string, unknown>;

/**
 * The document, changed so that no property of a body has `default`: openapi-typescript takes such a field
 * for one that must be sent. `x-default` says the same to people. Fields of a PATCH have neither, because one
 * that is left out stays as it is.
 */
export function stateDefaults<T extends object>(document: T): T {
  const { paths, components } = document as unknown as OpenApiDocument;
  for (const { patch } of Object.values(paths))
    for (const { schema } of Object.values(patch?.requestBody?.content ?? {})) {
      const named = schema?.$ref === undefined ? schema : components?.schemas?.[nameOf(schema.$ref)];
      for (const property of Object.values(named?.properties ?? {})) delete (property as Node)['default'];
    }
  rename(components?.schemas);
  for (const { requestBody, responses } of Object.values(paths).flatMap((item) => Object.values(item)))
    rename([requestBody, responses]);
  return document;
}

function rename(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    // What an example says is no schema.
    if (key === 'example') continue;
    if (key === 'properties')
      for (const property of Object.values(value as Record<string, Schema>)) {
        if (property.default === undefined) continue;
        Object.assign(property, { 'x-default': property.default });
        delete (property as Node)['default'];
      }
    rename(value);
  }
}
