import { beforeAll, describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { buildOpenApi } from './http/openapi.ts';
import { suiteService } from './suite-service.fixture.ts';

/** Most that a refusal may say, whatever was sent. Bytes. */
const REFUSAL_BYTES_MAX = 64 * 1024;
/** Bodies from 128 KiB on are read by a thread, which is tried over the built service. */
const LONG = 100_000;

const service = suiteService('analysis');
let token: string;
beforeAll(async () => {
  token = await service.sign({ tenant_id: 'tenant', sub: 'owner' }, 'at+jwt');
  await send('POST', '/api/v1/sessions', { name: 'n', session_id: 's' });
  await send('POST', '/api/v1/sessions/s/judge', {});
});

interface Schema {
  readonly $ref?: string;
  readonly type?: string | string[];
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
}
interface Route {
  readonly method: string;
  readonly path: string;
  readonly statuses: readonly string[];
  readonly body: Schema;
}

const DOCUMENT = buildOpenApi() as unknown as {
  paths: Record<
    string,
    Record<
      string,
      { requestBody?: { content: Record<string, { schema: Schema }> }; responses: Record<string, unknown> }
    >
  >;
  components: { schemas: Record<string, Schema> };
};
const ROUTES: readonly Route[] = Object.entries(DOCUMENT.paths).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { requestBody, responses }]) => {
    const body = requestBody?.content['application/json']?.schema;
    return body === undefined ? [] : [{ method, path, statuses: Object.keys(responses), body }];
  }),
);

function resolved(schema: Schema): Schema {
  const found =
    schema.$ref === undefined ? schema : DOCUMENT.components.schemas[schema.$ref.split('/').at(-1)!]!;
  const choice = found.anyOf?.find(({ type }) => type !== 'null');
  return choice === undefined ? found : resolved(choice);
}

/** Values on both sides of every bound that a schema names; where it names none, long ones. */
function boundaries(given: Schema): unknown[] {
  const schema = resolved(given);
  const bounds = [schema.minimum, schema.maximum].filter((bound) => bound !== undefined);
  const length = schema.maxLength ?? LONG;
  switch ([schema.type].flat().find((type) => type !== 'null')) {
    case 'string':
      return schema.enum === undefined
        ? ['', '\0', '\ud800', 'x'.repeat(length), 'x'.repeat(length + 1), '😀'.repeat(128), '😀'.repeat(129)]
        : [...schema.enum.slice(0, 1), `${String(schema.enum[0])}x`, 'x'.repeat(LONG)];
    case 'number':
    case 'integer':
      return [
        ...bounds.flatMap((bound) => [bound, bound - 1, bound + 1]),
        0,
        -1,
        0.5,
        1e308,
        '9'.repeat(LONG),
      ];
    case 'boolean':
      return [true, 'true', 0];
    case 'array':
      return [
        [],
        Array.from({ length: 2_000 }, () => ({})),
        Array(2_000).fill('x'),
        Array(20).fill('x'.repeat(LONG / 20)),
      ];
    default:
      return [
        {},
        Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`key ${n}`, n])),
        { ['x'.repeat(LONG)]: 1 },
      ];
  }
}

/** A field of a schema by its path, with the path to send a value at; lists by their first item. */
function fieldsOf(
  given: Schema,
  path: readonly string[] = [],
): { path: readonly string[]; schema: Schema }[] {
  const schema = resolved(given);
  if (schema.items !== undefined) return [{ path, schema }, ...fieldsOf(schema.items, [...path, '0'])];
  const nested = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    fieldsOf(field, [...path, name]),
  );
  return [{ path, schema }, ...nested];
}

/** The smallest value that has `value` at `path`. */
function at(path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  return first === '0' ? [at(rest, value)] : { [first]: at(rest, value) };
}

async function send(
  method: string,
  path: string,
  body: unknown,
): Promise<{ status: number; length: number }> {
  const response = await fetch(`${service.url}${path}`, {
    method: method.toUpperCase(),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, length: (await response.arrayBuffer()).byteLength };
}

describe('a body at the bounds of its schema', () => {
  it.each(ROUTES)(
    'each value on either side of a bound gets a documented status and a short refusal: $method $path',
    async ({ method, path, statuses, body }) => {
      covers('INV-S.37');
      const url = path.replace('{session_id}', 's').replace(/\{\w+\}/, 'x');
      let tried = 0;
      const fields = fieldsOf(body);
      for (const { path: where, schema } of fields) {
        for (const [index, value] of boundaries(schema).entries()) {
          const { status, length } = await send(method, url, at(where, value));
          const what = [where.join('.'), index, status];
          expect([...what, statuses.includes(String(status)), status < 500]).toEqual([...what, true, true]);
          if (status >= 400) expect([...what, length <= REFUSAL_BYTES_MAX]).toEqual([...what, true]);
          tried += 1;
        }
      }
      // A body without fields has only the values that are not an object.
      expect(tried).toBeGreaterThan(fields.length === 1 ? 2 : 5);
    },
  );
});
