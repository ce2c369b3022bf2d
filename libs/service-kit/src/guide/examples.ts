import { html as inline, type Html } from './html.ts';
import type { Method, OpenApiDocument, OpenApiOperation, Parameter } from './openapi-document.ts';
import { sampleOf } from './schema-words.ts';

// Code keeps its spaces: under its usual name prettier would lay the template out as HTML.

/** An operation of the document with the values of its example. */
export interface Example {
  readonly method: Method;
  readonly path: string;
  readonly operation: OpenApiOperation;
  /** Parameters that the form asks for, with the value it starts with; '' is left out. */
  readonly parameters: readonly (Parameter & { readonly value: string })[];
  readonly body: { readonly contentType: string; readonly text: string; readonly isJson: boolean } | null;
  readonly needsToken: boolean;
}

/** The example of an operation: what the document says, else what its schemas require. */
export function exampleOf(
  document: OpenApiDocument,
  path: string,
  method: Method,
  operation: OpenApiOperation,
): Example {
  const schemas = document.components?.schemas ?? {};
  const parameters = (operation.parameters ?? []).map((parameter) => ({
    ...parameter,
    value: String(parameter.example ?? (parameter.required === true ? parameter.schema.enum?.[0] : '') ?? ''),
  }));
  const [content] = Object.entries(operation.requestBody?.content ?? {});
  const isJson = content?.[0].includes('json') ?? false;
  const value =
    content === undefined ? '' : (content[1].example ?? sampleOf(content[1].schema ?? {}, schemas));
  const text = isJson ? JSON.stringify(value, null, 2) : String(value);
  return {
    method,
    path,
    operation,
    parameters,
    body: content === undefined ? null : { contentType: content[0], text, isJson },
    needsToken: (operation.security?.length ?? 0) > 0,
  };
}

/** A place in the code that the form's values are written to as they change. */
function slot(name: string, value: string, quote = ''): Html {
  return inline`<span data-slot="${name}" data-quote="${quote}">${value}</span>`;
}

/** The path with a slot for each parameter, and one for the query. */
function target({ path, parameters }: Example): Html {
  const parts = path.split(/\{(\w+)\}/);
  const filled = parts.map((part, index) => {
    if (index % 2 === 0) return part;
    const { value = '' } = parameters.find(({ name }) => name === part) ?? {};
    return slot(`path:${part}`, value === '' ? part.toUpperCase() : encodePath(value));
  });
  const asked = parameters.filter((one) => one.in === 'query' && one.value !== '');
  const query = new URLSearchParams(
    asked.map(({ name, value }): [string, string] => [name, value]),
  ).toString();
  return inline`${filled}${slot('query', query === '' ? '' : `?${query}`)}`;
}

function encodePath(value: string): string {
  return value.split('/').map(encodeURIComponent).join('/');
}

function headerLines(example: Example, line: (name: string, value: Html | string) => Html): Html {
  const own = example.parameters.filter((one) => one.in === 'header');
  return inline`${own.map(
    ({ name, value }) =>
      inline`<span data-line="header:${name}"${value === '' ? inline` hidden` : null}>${line(
        name,
        slot(`header:${name}`, value),
      )}</span>`,
  )}`;
}

/** The example as a command: `$BASE` and `$TOKEN` are set once. */
export function curlOf(example: Example): Html {
  const { method, body, needsToken } = example;
  const verb = method === 'get' ? '' : method === 'head' ? ' -I' : ` -X ${method.toUpperCase()}`;
  const next = ' \\\n  ';
  const token = needsToken ? `${next}-H "Authorization: Bearer $TOKEN"` : '';
  const headers = headerLines(example, (name, value) => inline`${next}-H '${name}: ${value}'`);
  const content =
    body === null
      ? null
      : inline`${next}-H 'Content-Type: ${body.contentType}'${next}${body.isJson ? '-d' : '--data-binary'} '${slot('body', shellText(body.text), 'shell')}'`;
  const stream = typeOf(example.operation) === STREAM ? ' -N' : '';
  return inline`curl${verb}${stream} "$BASE${target(example)}"${token}${headers}${content}`;
}

/** A text within single quotes of a shell. */
function shellText(text: string): string {
  return text.replaceAll("'", "'\\''");
}

/** The same call as TypeScript, for any runtime with fetch. */
export function typescriptOf(example: Example): Html {
  const { method, body, needsToken, operation } = example;
  const own = example.parameters.filter((one) => one.in === 'header');
  const hasHeaders = needsToken || body !== null || own.length > 0;
  const isSimple = method === 'get' && !hasHeaders;
  const options = isSimple
    ? inline``
    : inline`, {\n  method: '${method.toUpperCase()}',${
        hasHeaders
          ? inline`\n  headers: {${needsToken ? '\n    Authorization: `Bearer ${TOKEN}`,' : ''}${headerLines(
              example,
              (name, value) => inline`\n    '${name}': '${value}',`,
            )}${body === null ? '' : `\n    'Content-Type': '${body.contentType}',`}\n  },`
          : null
      }${
        body === null
          ? null
          : body.isJson
            ? inline`\n  body: JSON.stringify(${slot('body', indented(body.text), 'json')}),`
            : inline`\n  body: ${slot('body', JSON.stringify(body.text), 'text')},`
      }\n}`;
  const type = typeOf(operation);
  const call = inline`const response = await fetch(\`\${BASE}${target(example)}\`${options});\nconsole.log(response.status`;
  // A stream does not end.
  if (type === STREAM)
    return inline`${call});\nfor await (const part of response.body!.pipeThrough(new TextDecoderStream())) console.log(part);`;
  const read =
    type === '' ? '' : type.includes('json') ? ', await response.json()' : ', await response.text()';
  return inline`${call}${read});`;
}

const STREAM = 'text/event-stream';

/** Media type of an operation's success; '' for none. */
function typeOf({ responses }: OpenApiOperation): string {
  const success = Object.entries(responses).find(([status]) => status < '300');
  return Object.keys(success?.[1].content ?? {})[0] ?? '';
}

function indented(json: string): string {
  return json.replaceAll('\n', '\n  ');
}
