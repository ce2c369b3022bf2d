import { html, prose, type Html } from './html.ts';
import { nameOf, type Schema } from './openapi-document.ts';

/** How deep fields of fields are listed where they stand; named shapes have a place of their own. */
const DEPTH_MAX = 3;

/** The type in words, with links to named shapes: `list of Claim or null`. */
export function typeWords(schema: Schema): Html {
  if (schema.$ref !== undefined) {
    const name = nameOf(schema.$ref);
    return html`<a href="#shape-${name}">${name}</a>`;
  }
  const options = schema.anyOf ?? schema.oneOf;
  if (options !== undefined) return joined(options.map(typeWords), ' or ');
  if (schema.allOf !== undefined) return joined(schema.allOf.map(typeWords), ' and ');
  if (schema.const !== undefined) return html`<code>${JSON.stringify(schema.const)}</code>`;
  if (schema.enum !== undefined)
    return html`one of
    ${joined(
      schema.enum.map((value) => html`<code>${value === null ? 'null' : String(value)}</code>`),
      ', ',
    )}`;
  const types = [schema.type ?? []].flat();
  if (types.length === 0) return html`any JSON`;
  return joined(
    types.map((type) => oneType(type, schema)),
    ' or ',
  );
}

function oneType(type: string, { items, additionalProperties, properties, format }: Schema): Html {
  if (type === 'array') return html`list of ${items === undefined ? 'anything' : typeWords(items)}`;
  if (type === 'object' && properties === undefined && typeof additionalProperties === 'object')
    return html`object of any names to ${typeWords(additionalProperties)}`;
  if (type === 'string') return html`${format === 'binary' ? 'bytes' : 'text'}`;
  if (type === 'integer') return html`whole number`;
  if (type === 'boolean') return html`true or false`;
  return html`${type}`;
}

function joined(parts: readonly Html[], between: string): Html {
  return html`${parts.map((part, index) => (index === 0 ? part : html`${between}${part}`))}`;
}

/** What values may be besides their type: `1 to 200; default 50`. Empty where nothing limits them. */
function limitsOf(schema: Schema): string {
  const { exclusiveMinimum, exclusiveMaximum, pattern, format } = schema;
  const preset = schema.default ?? schema['x-default'];
  const parts = [
    range(schema.minimum, schema.maximum, ''),
    exclusiveMinimum === undefined ? '' : `over ${exclusiveMinimum}`,
    exclusiveMaximum === undefined ? '' : `under ${exclusiveMaximum}`,
    range(schema.minLength, schema.maxLength, ' characters'),
    range(schema.minItems, schema.maxItems, ' items'),
    format === undefined || format === 'binary' ? '' : format,
    pattern === undefined || pattern.length > 40 ? '' : `matches ${pattern}`,
    preset === undefined ? '' : `default ${JSON.stringify(preset)}`,
  ];
  return parts.filter((part) => part !== '').join('; ');
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const [from, to] = [min, max].map((bound) => bound?.toLocaleString('en-US'));
  // A bound that only says what numbers a double can hold tells a reader nothing.
  if (max === undefined || max >= Number.MAX_SAFE_INTEGER)
    return min === undefined || min <= Number.MIN_SAFE_INTEGER ? '' : `at least ${from}${unit}`;
  return min === undefined ? `at most ${to}${unit}` : `${from} to ${to}${unit}`;
}

interface Place {
  /** Whether callers send it: only then do the words say whether they must. Default true. */
  readonly isSent?: boolean;
  readonly depth?: number;
}

/** One field: name, whether it must be sent, type, limits, meaning, and the fields it has itself. */
export function fieldItem(name: string, schema: Schema, isRequired: boolean, place: Place = {}): Html {
  const limits = limitsOf(schema);
  const { isSent = true, depth = 0 } = place;
  return html`<li class="field">
    <p class="field-line">
      <code class="field-name">${name}</code>
      ${isRequired && isSent ? html`<span class="required">required</span>` : null}
      <span class="field-type">${typeWords(schema)}</span>
      ${limits === '' ? null : html`<span class="field-limits">${limits}</span>`}
    </p>
    ${schema.description === undefined ? null : html`<p>${prose(schema.description)}</p>`}
    ${depth < DEPTH_MAX ? fieldsOf(schema, { isSent, depth: depth + 1 }) : null}
  </li> `;
}

/** The list of an object's fields, or of those of the items of a list; null where it has none of its own. */
export function fieldsOf(schema: Schema, place: Place = {}): Html | null {
  const options = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];
  const owners = options
    .flatMap((part) => [part, part.items ?? {}])
    .flatMap((part) => [part, ...(part.oneOf ?? []), ...(part.anyOf ?? [])])
    .filter(({ properties }) => properties !== undefined);
  if (owners.length === 0) return null;
  return html`${[...new Set(owners)].map(
    ({ properties, required, description }, index) =>
      html`${index === 0 ? null : html`<p class="or">or</p>`}
        ${owners.length > 1 && description !== undefined ? html`<p class="note">${prose(description)}</p>` : null}
        <ul class="fields">
          ${Object.entries(properties!).map(([name, field]) =>
            fieldItem(name, field, required?.includes(name) ?? false, place),
          )}
        </ul>`,
  )}`;
}

/** A value that the schema takes, made of what it requires: an example where the document has none. */
export function sampleOf(schema: Schema, schemas: Readonly<Record<string, Schema>>, depth = 0): unknown {
  if (schema.$ref !== undefined) return sampleOf(schemas[nameOf(schema.$ref)] ?? {}, schemas, depth);
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [option] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? [];
  if (option !== undefined) return sampleOf(option, schemas, depth);
  const [type] = [schema.type ?? []].flat();
  if (type === 'array') return [];
  if (type === 'integer' || type === 'number') return schema.minimum ?? 1;
  if (type === 'boolean') return true;
  if (type !== 'object') return 'text';
  if (depth > DEPTH_MAX) return {};
  const required = schema.required ?? [];
  return Object.fromEntries(
    required.map((name) => [name, sampleOf(schema.properties?.[name] ?? {}, schemas, depth + 1)]),
  );
}
