import { z } from 'zod';

/** A JSON Schema 2020-12 of an object, as tools advertise it. */
export type JsonSchema = { readonly type: 'object' } & { readonly [keyword: string]: unknown };

/**
 * What a tool takes, for clients to see: nested objects inline, because several clients do not follow `$ref`, and null
 * left out where a field may as well be absent, because several do not know it. It is never used to judge what came.
 */
export function inputSchema(schema: z.ZodObject): JsonSchema {
  return convert(schema, { reused: 'inline', keepsNull: false });
}

/** What a tool answers; clients check structured content by it, so null stays, and shapes used twice are `$defs`. */
export function outputSchema(schema: z.ZodObject): JsonSchema {
  return convert(schema, { reused: 'ref', keepsNull: true });
}

/** Keywords that cost bytes in every session of every client and tell callers nothing. */
const NOISE = ['pattern', 'propertyNames', 'additionalProperties', 'minimum', 'maximum', 'exclusiveMinimum'];

function convert(schema: z.ZodObject, options: { reused: 'inline' | 'ref'; keepsNull: boolean }): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    reused: options.reused,
    override({ jsonSchema }) {
      const node = jsonSchema as Record<string, unknown>;
      const isMap = typeof node['additionalProperties'] === 'object' && !node['properties'];
      for (const keyword of NOISE) if (!(isMap && keyword === 'additionalProperties')) delete node[keyword];
      if (!options.keepsNull) dropNull(node);
    },
  });
  return json as JsonSchema;
}

/** zod writes a nullable T as anyOf [T, null]. */
function dropNull(node: Record<string, unknown>): void {
  const choices = node['anyOf'] as { type?: string }[] | undefined;
  if (choices?.length !== 2 || choices[1]?.type !== 'null') return;
  delete node['anyOf'];
  Object.assign(node, choices[0]);
}
