import type { Field, ObjectName } from '@platform/opinion-fusion';
import { OBJECTS } from '@platform/opinion-fusion';
import { z } from '@platform/error-contracts/zod-openapi';

/** How a value of each kind is published. */
const KINDS: Record<Exclude<Field['kind'], 'list' | 'object'>, (field: Field) => z.ZodType> = {
  text: ({ lengthMax }) => (lengthMax === undefined ? z.string() : z.string().max(lengthMax)),
  id: () => z.string().min(1),
  word: (field) => z.enum(field.values as [string, ...string[]]),
  // No format: a plain date is taken, too.
  timestamp: () => z.string(),
  moment: () => z.string(),
  url: () => z.string().regex(/^https?:\/\//),
  number: () => z.number(),
  count: () => z.int().min(0),
  digest: () => z.string().regex(/^[0-9a-f]{64}$/),
  flag: () => z.boolean(),
  numbers: () => z.record(z.string(), z.number()),
  texts: () => z.array(z.string()),
};

/**
 * The objects of the input as published schemas, made from the engine's table of fields
 * (docs/decisions/0003-one-field-table.md). They tell callers what to send; they judge nothing. The engine
 * validates by the same table, takes what the schema language cannot say (words in any case, numbers as text)
 * and names every problem. Fields not listed are ignored.
 */
export const INPUT_SCHEMAS: Readonly<Record<ObjectName, z.ZodObject>> = buildSchemas();

function buildSchemas(): Record<ObjectName, z.ZodObject> {
  const built = new Map<ObjectName, z.ZodObject>();
  const build = (name: ObjectName): z.ZodObject => {
    const known = built.get(name);
    if (known) return known;
    const fields = Object.entries(OBJECTS[name]).map(
      ([key, field]) => [key, fieldSchema(field, build)] as const,
    );
    const schema = z.looseObject(Object.fromEntries(fields)).openapi(name);
    built.set(name, schema);
    return schema;
  };
  for (const name of Object.keys(OBJECTS) as ObjectName[]) build(name);
  return Object.fromEntries(built) as Record<ObjectName, z.ZodObject>;
}

function fieldSchema(field: Field, build: (name: ObjectName) => z.ZodType): z.ZodType {
  const bare =
    field.kind === 'list'
      ? z.array(build(field.of as ObjectName))
      : field.kind === 'object'
        ? build(field.of as ObjectName)
        : KINDS[field.kind](field);
  // A named schema that is made nullable would be published under its name alone.
  const orNull = () => (field.kind === 'object' ? z.union([bare, z.null()]) : bare.nullable());
  const nullable = field.nullable ? orNull() : bare;
  const described = nullable.meta({
    description: field.description,
    ...(field.default === undefined ? {} : { default: field.default }),
  });
  return field.required ? described : described.optional();
}
