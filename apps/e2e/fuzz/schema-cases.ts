/** The part of JSON Schema that OpenAPI documents, MCP tools and the generated proto schemas use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly propertyNames?: JsonSchema;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly examples?: readonly unknown[];
  readonly example?: unknown;
}

/** One hostile value of one field. */
export interface SchemaCase {
  /** Path of the field from the root, such as `claims[].content`; empty for the whole. */
  readonly field: string;
  /** What the value is, such as `largest text` or `one character too many`. */
  readonly what: string;
  /** Whether the schema allows it; a service may have reasons besides to refuse it. */
  readonly isAllowed: boolean;
  /** Makes the whole value, which may take some MiB: it is made when it is sent. */
  make(): unknown;
}

export interface CaseOptions {
  /** Where `$ref` leads. */
  readonly definitions: (ref: string) => JsonSchema;
  /** How many bytes a value without a limit of its own takes. */
  readonly bytes: number;
  /** Values of fields by name, so that a request is about something that exists. */
  readonly known: (name: string, schema: JsonSchema) => unknown;
}

type Rebuild = (value: unknown) => unknown;
const DEPTH_MAX = 6;
const QUOTE = '"';

/** A small value that the schema allows: required fields alone, the first of several kinds. */
export function sampleOf(schema: JsonSchema, options: CaseOptions, name = '', depth = 0): unknown {
  const known = options.known(name, schema);
  if (known !== undefined) return known;
  const { properties = {}, required = [], ...own } = resolve(schema, options);
  if (own.const !== undefined) return own.const;
  if (own.enum !== undefined) return own.enum[0];
  switch (kindOf({ properties, ...own })) {
    case 'object':
      return Object.fromEntries(
        (depth > DEPTH_MAX ? [] : Object.entries(properties))
          .filter(([key]) => required.includes(key))
          .map(([key, inner]) => [key, sampleOf(inner, options, key, depth + 1)]),
      );
    case 'array':
      return Array.from({ length: own.minItems ?? 1 }, () =>
        depth > DEPTH_MAX ? null : sampleOf(own.items ?? {}, options, name, depth + 1),
      );
    case 'number':
    case 'integer':
      return own.minimum ?? (own.exclusiveMinimum ?? 0) + 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    default:
      return 'x'.repeat(Math.max(1, own.minLength ?? 1));
  }
}

/**
 * For every field of a schema the largest value that is allowed and the smallest that is not; where the
 * schema sets no limit, a value that fills the body. Fields of a type that holds itself are entered once.
 */
export function* casesOf(schema: JsonSchema, options: CaseOptions): Generator<SchemaCase> {
  yield* casesWithin(schema, { field: '', name: '', rebuild: (value) => value, entered: [] }, options);
}

interface Place {
  readonly field: string;
  readonly name: string;
  /** The whole value with this one at the place. */
  readonly rebuild: Rebuild;
  /** References on the way here. */
  readonly entered: readonly string[];
}

function* casesWithin(schema: JsonSchema, place: Place, options: CaseOptions): Generator<SchemaCase> {
  const { field, rebuild } = place;
  const found = resolve(schema, options);
  const one = (what: string, isAllowed: boolean, make: () => unknown): SchemaCase => ({
    field,
    what,
    isAllowed,
    make: () => rebuild(make()),
  });
  const { bytes } = options;
  yield* ownCases(found, one, options);
  if (kindOf(found) !== 'string')
    yield one('a text that fills the body', found.type === undefined, () => 'x'.repeat(bytes));
  yield one('an object of keys that nobody knows', false, () => ({
    ...asObject(sampleOf(schema, options, place.name)),
    ...keys(bytes),
  }));
  if (kindOf(found) !== 'array')
    yield one('an array that fills the body', false, () => Array.from({ length: bytes / 2 }, () => 1));

  const entered = schema.$ref === undefined ? place.entered : [...place.entered, schema.$ref];
  if (place.entered.length > DEPTH_MAX || new Set(entered).size < entered.length) return;
  const base = () => asObject(sampleOf(schema, options, place.name)) ?? {};
  for (const [key, inner] of Object.entries(found.properties ?? {}))
    yield* casesWithin(
      inner,
      {
        field: field === '' ? key : `${field}.${key}`,
        name: key,
        rebuild: (value) => rebuild({ ...base(), [key]: value }),
        entered,
      },
      options,
    );
  if (found.items !== undefined)
    yield* casesWithin(
      found.items,
      { field: `${field}[]`, name: place.name, rebuild: (value) => rebuild([value]), entered },
      options,
    );
  if (typeof found.additionalProperties === 'object')
    yield* casesWithin(
      found.additionalProperties,
      { field: `${field}.*`, name: '', rebuild: (value) => rebuild({ key: value }), entered },
      options,
    );
}

/** The cases of a value by its type and limits. */
function* ownCases(
  schema: JsonSchema,
  one: (what: string, isAllowed: boolean, make: () => unknown) => SchemaCase,
  options: CaseOptions,
): Generator<SchemaCase> {
  const { bytes } = options;
  if (schema.enum !== undefined)
    return yield one('a word that is none of the list', false, () => 'x'.repeat(bytes));
  switch (kindOf(schema)) {
    case 'string': {
      const { maxLength } = schema;
      const isFree = schema.format === undefined && schema.pattern === undefined;
      const length = Math.min(maxLength ?? bytes, bytes);
      yield one('the largest text', isFree, () => 'x'.repeat(length));
      yield one('the largest text of quotes', isFree, () => QUOTE.repeat(Math.min(length, bytes / 2)));
      yield one('the largest text of four-byte characters', false, () =>
        '\u{1F600}'.repeat(Math.min(length, bytes / 4)),
      );
      if (maxLength !== undefined && maxLength < bytes)
        yield one('one character too many', false, () => 'x'.repeat(maxLength + 1));
      return;
    }
    case 'array': {
      const item = sampleOf(schema.items ?? {}, options);
      const fitting = Math.max(1, Math.floor(bytes / (JSON.stringify(item ?? null).length + 1)));
      const { maxItems = fitting } = schema;
      const length = Math.min(maxItems, fitting);
      yield one('the longest list', true, () => Array.from({ length }, () => item));
      yield one('the longest list of distinct items', true, () =>
        Array.from({ length: Math.min(maxItems, Math.floor(fitting / 2) || 1) }, (_, index) =>
          distinct(item, index),
        ),
      );
      if (maxItems < fitting)
        yield one('one item too many', false, () => Array.from({ length: maxItems + 1 }, () => item));
      yield one('a list of null', false, () => Array.from({ length: bytes / 5 }, () => null));
      return;
    }
    case 'number':
    case 'integer': {
      const largest = schema.maximum ?? Number.MAX_SAFE_INTEGER;
      const smallest = schema.minimum ?? Number.MIN_SAFE_INTEGER;
      yield one('the largest number', true, () => largest);
      yield one('the smallest number', true, () => smallest);
      if (schema.maximum !== undefined) yield one('a number above the largest', false, () => largest + 1);
      if (schema.minimum !== undefined) yield one('a number below the smallest', false, () => smallest - 1);
      return;
    }
    case 'object': {
      const { additionalProperties } = schema;
      if (additionalProperties === undefined || additionalProperties === false) return;
      const inner = typeof additionalProperties === 'object' ? sampleOf(additionalProperties, options) : 'x';
      yield one('as many keys as fit', schema.maxProperties === undefined, () => keys(bytes, inner));
      return;
    }
    default:
  }
}

/** A copy of an item that differs from others by its number, where it has a text to say it in. */
function distinct(item: unknown, index: number): unknown {
  if (typeof item === 'string') return `${item}${index}`;
  if (typeof item === 'number') return index;
  const fields = asObject(item);
  if (fields === null) return item;
  return Object.fromEntries(
    Object.entries(fields).map(([key, value]) => [
      key,
      key === 'id' || key === 'name' ? `${String(value)}${index}` : value,
    ]),
  );
}

/** An object that takes so many bytes as JSON. */
function keys(bytes: number, value: unknown = 1): Record<string, unknown> {
  const count = Math.floor(bytes / (JSON.stringify(value ?? null).length + 12));
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, value]));
}

function asObject(value: unknown): Record<string, unknown> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/** The schema in place of a reference to it, the first of several that is not null, all parts as one. */
function resolve(schema: JsonSchema, options: CaseOptions, depth = 0): JsonSchema {
  if (depth > 2 * DEPTH_MAX) return {};
  const { $ref, anyOf, oneOf, allOf, ...own } = schema;
  const parts: JsonSchema[] = [own];
  if ($ref !== undefined) parts.push(resolve(options.definitions($ref), options, depth + 1));
  const several = anyOf ?? oneOf;
  const chosen = several?.find(({ type }) => type !== 'null');
  if (chosen !== undefined) parts.push(resolve(chosen, options, depth + 1));
  for (const part of allOf ?? []) parts.push(resolve(part, options, depth + 1));
  return parts.reduce((one, other) => ({
    ...one,
    ...other,
    ...(one.properties || other.properties ? { properties: { ...one.properties, ...other.properties } } : {}),
    ...(one.required || other.required
      ? { required: [...(one.required ?? []), ...(other.required ?? [])] }
      : {}),
  }));
}

function kindOf({ type, properties, items, additionalProperties }: JsonSchema): string {
  const named = typeof type === 'string' ? type : type?.find((one) => one !== 'null');
  if (named !== undefined) return named;
  if (properties !== undefined || additionalProperties !== undefined) return 'object';
  return items === undefined ? 'string' : 'array';
}
