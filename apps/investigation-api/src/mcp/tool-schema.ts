import { z } from 'zod';

/** A JSON Schema 2020-12 of an object, as tools advertise it. */
export type JsonSchema = { readonly type: 'object' } & { readonly [keyword: string]: unknown };
type Node = Readonly<Record<string, unknown>>;

/**
 * What a tool takes, for clients to see: nested objects inline, because several clients do not follow `$ref`,
 * and null as one of the types of a field, because hosts refuse arguments that the schema does not allow.
 * Operations do not validate by it.
 */
export function inputSchema(schema: z.ZodObject): JsonSchema {
  return convert(schema, nullAsType);
}

/** What a tool responds with; clients check structured content by it, so null stays. */
export function outputSchema(schema: z.ZodObject): JsonSchema {
  return convert(schema, () => {});
}

/**
 * The schema with the fields of the outermost object alone: of objects in it and of the items of its lists
 * only that they are objects. It takes whatever the whole schema takes.
 */
export function topLevel(schema: JsonSchema): JsonSchema {
  return withProperties(schema, (node) => {
    const { description, default: fallback } = node;
    const words = {
      ...(description ? { description } : {}),
      ...(fallback === undefined ? {} : { default: fallback }),
    };
    return node['anyOf'] || [node['type']].flat().some((type) => type === 'object' || type === 'array')
      ? { ...bareType(node), ...words }
      : node;
  });
}

/** The schema without any word about properties of this name, however deep, but that they are objects. */
export function briefly(schema: JsonSchema, name: string): JsonSchema {
  const shorten = (node: unknown, key: string): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (key === name && 'properties' in node) return { type: (node as Node)['type'] };
    if (Array.isArray(node)) return node.map((item) => shorten(item, ''));
    return Object.fromEntries(Object.entries(node).map(([inner, value]) => [inner, shorten(value, inner)]));
  };
  return shorten(schema, '') as JsonSchema;
}

/** The same without words and bounds: the fields and their types, and which are required. */
export function outline(schema: JsonSchema): JsonSchema {
  return withProperties(schema, bareType);
}

/** Of what a tool responds with, the fields that are never null, and their types; get_docs has the rest. */
export function responseOutline(schema: JsonSchema): JsonSchema {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Node>)
    .map(([name, node]): [string, Node] => [name, { type: bareType(node)['type'] }])
    // The state of quotes is there only where some are pinned; get_docs describes it.
    .filter(([name, node]) => name !== 'quotes' && ![node['type']].flat().includes('null'));
  return { type: schema.type, properties: Object.fromEntries(properties) };
}

/** The schema with these fields as in its outline. */
export function outlined(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const brief = outline(schema)['properties'] as Record<string, Node>;
  const properties = schema['properties'] as Record<string, Node>;
  const briefly = Object.fromEntries(names.map((name) => [name, brief[name]!]));
  return { ...schema, properties: { ...properties, ...briefly } };
}

/** The same without the words of required ids, whose names say as much. */
export function idsBare(schema: JsonSchema): JsonSchema {
  const required = (schema['required'] ?? []) as readonly string[];
  return withProperties(schema, (node, name) =>
    required.includes(name) && name.endsWith('_id') ? bareType(node) : node,
  );
}

/** The same with no more of this field than the words that it takes. */
export function wordsAlone(schema: JsonSchema, field: string): JsonSchema {
  return withProperties(schema, (node, name) =>
    name === field && node['enum'] ? { enum: node['enum'] } : node,
  );
}

function withProperties(schema: JsonSchema, change: (node: Node, name: string) => Node): JsonSchema {
  const properties = Object.entries((schema['properties'] ?? {}) as Record<string, Node>);
  return {
    ...schema,
    properties: Object.fromEntries(properties.map(([name, node]) => [name, change(node, name)])),
  };
}

function bareType(node: Node): Node {
  const items = node['items'] as Node | undefined;
  return { type: node['anyOf'] ? typesOf(node) : node['type'], ...(items ? { items: bareType(items) } : {}) };
}

/** The types of a choice; one when all are the same. */
function typesOf(choice: Node): unknown {
  const types = [
    ...new Set((choice['anyOf'] as Node[]).flatMap((node) => (node['anyOf'] ? typesOf(node) : node['type']))),
  ];
  return types.length === 1 ? types[0] : types;
}

/** Keywords that cost bytes in every session of every client without helping the caller. */
const NOISE = ['pattern', 'propertyNames', 'additionalProperties', 'minLength'];

function convert(schema: z.ZodObject, adapt: (node: Record<string, unknown>) => void): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    reused: 'inline',
    override({ jsonSchema }) {
      const node = jsonSchema as Record<string, unknown>;
      const isMap = typeof node['additionalProperties'] === 'object' && !node['properties'];
      for (const keyword of NOISE) if (!(isMap && keyword === 'additionalProperties')) delete node[keyword];
      for (const bound of ['minimum', 'maximum'])
        if (Math.abs(Number(node[bound])) === Number.MAX_SAFE_INTEGER) delete node[bound];
      adapt(node);
    },
  });
  return json as JsonSchema;
}

/** zod writes a nullable T as anyOf [T, null]; one list of types says the same in fewer bytes. */
function nullAsType(node: Record<string, unknown>): void {
  const choices = node['anyOf'] as Record<string, unknown>[] | undefined;
  if (choices?.length !== 2 || choices[1]?.['type'] !== 'null') return;
  const [value] = choices as [Record<string, unknown>];
  if (typeof value['type'] !== 'string') return;
  delete node['anyOf'];
  Object.assign(node, { ...value, ...node, type: [value['type'], 'null'] });
  if (Array.isArray(value['enum'])) node['enum'] = [...(value['enum'] as unknown[]), null];
}
