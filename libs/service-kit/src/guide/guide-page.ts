import { curlOf, exampleOf, typescriptOf, type Example } from './examples.ts';
import { callId, groupId, grpcGroups, titleOf, type GrpcCalls } from './grpc-calls.ts';
import { html, prose, type Html } from './html.ts';
import { METHODS, nameOf, type OpenApiDocument, type OpenApiOperation } from './openapi-document.ts';
import { fieldItem, fieldsOf, typeWords } from './schema-words.ts';

/** What the guide says besides what the OpenAPI document says. */
export interface Guide {
  /** An OpenAPI 3.1 document whose operations have one tag each. */
  readonly document: object;
  /** Where the document is served, from the root of the site. */
  readonly openApiUrl: string;
  /** How to get a token: in words, and as a command where there is one. */
  readonly credential: { readonly words: string; readonly command?: string };
  /** Said about the token field where the page has another credential as well. */
  readonly tokenNote?: string;
  /** `operationId` of the call to begin with. */
  readonly first: string;
  /** What examples call the service until the page knows better. */
  readonly exampleUrl: string;
  /** What the service does over gRPC; none unless given. */
  readonly grpc?: GrpcCalls;
  /** Links to what else the service has for readers. */
  readonly links?: readonly { readonly href: string; readonly text: string }[];
}

interface Section {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly examples: readonly Example[];
}

/**
 * The guide as one HTML document that can be read without scripts: what can be done, what to type first, and
 * each operation of the document once, in the group that its tag names. `styles` and `script` are paths from
 * the root of the site. Throws Error for an operation of more or fewer tags than one.
 */
export function renderGuide(guide: Guide, { styles, script }: { styles: string; script: string }): string {
  const document = guide.document as OpenApiDocument;
  const { title, version, description = '' } = document.info;
  const sections = sectionsOf(document);
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}: guide</title>
        <meta name="description" content="${description}" />
        <meta name="color-scheme" content="light dark" />
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="${styles}" />
        <script defer src="${script}"></script>
      </head>
      <body>
        <a class="skip-link" href="#operations">Skip to the operations</a>
        <div class="page">
          <header class="intro">
            <h1>${title}</h1>
            <p class="lead">${description}</p>
            <p class="facts">
              Version ${version} · <a href="${guide.openApiUrl}">OpenAPI document</a>${(
                guide.links ?? []
              ).map(({ href, text }) => html` · <a href="${href}">${text}</a>`)}
            </p>
          </header>
          ${sidebar(sections, guide.grpc)}
          <main>
            <div class="first">${start(guide, sections)}${overview(sections, guide.grpc)}</div>
            <div id="operations" tabindex="-1">
              ${sections.map((section) => group(section, document))}
              ${guide.grpc === undefined ? null : grpcGroups(guide.grpc, code)}
            </div>
            ${shapes(document)}
          </main>
        </div>
      </body>
    </html>`;
  return page.text;
}

function sectionsOf(document: OpenApiDocument): Section[] {
  const examples = Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [exampleOf(document, path, method, operation)];
    }),
  );
  const byTag = new Map<string, Example[]>((document.tags ?? []).map(({ name }) => [name, []]));
  for (const example of examples) {
    const { operationId, tags = [] } = example.operation;
    const list = tags.length === 1 ? byTag.get(tags[0]!) : undefined;
    if (list === undefined) throw new Error(`${operationId} must have one tag that the document lists`);
    list.push(example);
  }
  return (document.tags ?? []).map(({ name, description = '' }) => ({
    id: `group-${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`,
    name,
    description,
    examples: byTag.get(name)!,
  }));
}

/** Operations that have an entry of their own; HEAD stands with its GET. */
function entriesOf({ examples }: Section): readonly Example[] {
  const gets = new Set(examples.filter(({ method }) => method === 'get').map(({ path }) => path));
  return examples.filter(({ method, path }) => method !== 'head' || !gets.has(path));
}

function sidebar(sections: readonly Section[], grpc: GrpcCalls | undefined): Html {
  return html`<div class="sidebar">
    <search class="scripted-only">
      <label for="search">Search operations</label>
      <input
        id="search"
        type="search"
        autocomplete="off"
        spellcheck="false"
        placeholder="Press / to search"
      />
      <p id="search-count" class="search-count" role="status"></p>
    </search>
    <form id="token-form" class="token scripted-only" autocomplete="off" aria-label="Credential">
      <label for="token">Your token</label>
      <input id="token" type="password" autocomplete="off" spellcheck="false" aria-describedby="token-note" />
      <p id="token-note" class="note">
        Kept in this tab until you leave the page, and sent to this service alone.
      </p>
    </form>
    <nav aria-label="Operations">
      ${sections.map(
        (section) =>
          html`<details class="nav-group" data-group="${section.id}">
            <summary>${section.name}</summary>
            <ul>
              ${entriesOf(section).map(
                ({ operation: { operationId, summary } }) =>
                  html`<li data-entry="${operationId}"><a href="#${operationId}">${summary}</a></li> `,
              )}
            </ul>
          </details> `,
      )}
      ${(grpc?.groups ?? []).map(
        (one) =>
          html`<details class="nav-group" data-group="${groupId(one)}">
            <summary>${one.title}</summary>
            <ul>
              ${one.service.methods.map(
                (method) =>
                  html`<li data-entry="${callId(one.service, method)}">
                    <a href="#${callId(one.service, method)}">${titleOf(method)}</a>
                  </li> `,
              )}
            </ul>
          </details> `,
      )}
      <p><a href="#shapes">Shapes of data</a></p>
    </nav>
  </div>`;
}

function start({ credential, first, exampleUrl, tokenNote }: Guide, sections: readonly Section[]): Html {
  const example = sections
    .flatMap(({ examples }) => examples)
    .find(({ operation }) => operation.operationId === first);
  if (example === undefined) throw new Error(`the document has no operation ${first} to begin with`);
  return html`<section class="start" aria-labelledby="start">
    <h2 id="start">Start here</h2>
    <ol class="steps">
      <li>
        <p>${prose(credential.words)}${tokenNote === undefined ? null : html` ${prose(tokenNote)}`}</p>
        ${credential.command === undefined ? null : code(html`${credential.command}`, 'Command')}
      </li>
      <li>
        <p>Say once where the service is and what your token is.</p>
        ${code(html`BASE=<span data-origin>${exampleUrl}</span> TOKEN='your token'`, 'Variables')}
      </li>
      <li>
        <p>
          ${example.operation.summary}:
          <a href="#${first}">read about it<span class="scripted-only-inline">, or run it here</span></a
          >.
        </p>
        ${code(curlOf(example), 'First call')}
      </li>
    </ol>
  </section>`;
}

function overview(sections: readonly Section[], grpc: GrpcCalls | undefined): Html {
  return html`<section class="overview" aria-labelledby="overview">
    <h2 id="overview">What you can do</h2>
    <ul class="cards">
      ${sections.map(
        (section) =>
          html`<li>
            <a href="#${section.id}">${section.name}</a>
            <p>${section.description}</p>
          </li> `,
      )}
      ${(grpc?.groups ?? []).map(
        (one) =>
          html`<li>
            <a href="#${groupId(one)}">${one.title}</a>
            <p>${one.service.description}</p>
          </li> `,
      )}
    </ul>
  </section>`;
}

function group(section: Section, document: OpenApiDocument): Html {
  const { id, name, description, examples } = section;
  return html`<section class="group" aria-labelledby="${id}">
    <h2 id="${id}">${name}</h2>
    <p class="group-lead">${description}</p>
    ${entriesOf(section).map((example) =>
      entry(
        example,
        examples.find(
          ({ path, method }) => method === 'head' && example.method === 'get' && path === example.path,
        ),
        document,
      ),
    )}
  </section> `;
}

function entry(example: Example, head: Example | undefined, document: OpenApiDocument): Html {
  const { method, path, operation, parameters } = example;
  const { operationId, summary, description } = operation;
  const words = [operationId, method, path, summary, description ?? ''].join(' ').toLowerCase();
  return html`<details
    class="operation"
    id="${operationId}"
    data-operation="${operationId}"
    data-words="${words}"
  >
    <summary>
      <span class="method method-${method}">${method.toUpperCase()}</span>
      <h3>${summary}</h3>
      <code class="path">${path}</code>
    </summary>
    <div class="operation-body">
      <div class="reference">
        ${description === undefined ? null : html`<p>${prose(description)}</p>`}
        <p class="note">
          ${example.needsToken ? 'Needs a token.' : 'Needs no token.'} Its name in the contract is
          <code>${operationId}</code>.
        </p>
        ${
          parameters.length === 0
            ? null
            : html`<h4>Parameters</h4>
                <ul class="fields">
                  ${parameters.map(({ name, schema, required, description: told, in: place }) =>
                    fieldItem(
                      place === 'header' ? `${name}:` : place === 'query' ? `?${name}` : name,
                      told === undefined ? schema : { ...schema, description: told },
                      required ?? false,
                    ),
                  )}
                </ul>`
        }
        ${body(operation, document)}${successes(operation)}${errors(operation, document)}
        ${
          head === undefined
            ? null
            : html`<p
                class="head"
                id="${head.operation.operationId}"
                data-operation="${head.operation.operationId}"
              >
                <span class="method">HEAD</span> <code>${path}</code>: ${head.operation.summary}
              </p>`
        }
      </div>
      <div class="example">
        ${runForm(example)} ${code(curlOf(example), 'curl')}${code(typescriptOf(example), 'TypeScript')}
      </div>
    </div>
  </details> `;
}

function body({ requestBody }: OpenApiOperation, { components }: OpenApiDocument): Html | null {
  const [content] = Object.entries(requestBody?.content ?? {});
  if (content === undefined) return null;
  const types = Object.keys(requestBody!.content);
  const schema = content[1].schema ?? {};
  const named = schema.$ref === undefined ? schema : components?.schemas?.[nameOf(schema.$ref)];
  return html`<h4>Body${requestBody!.required === true ? null : html` <small>(may be left out)</small>`}</h4>
    <p class="note">
      ${types.map((type, index) => html`${index === 0 ? '' : ', '}<code>${type}</code>`)}:
      ${typeWords(schema)}
    </p>
    ${fieldsOf(named ?? schema)}`;
}

function successes({ responses }: OpenApiOperation): Html {
  const good = Object.entries(responses).filter(([status]) => status < '400');
  return html`<h4>Responses</h4>
    <dl class="statuses">
      ${good.map(([status, { description, content, headers }]) => {
        const [first] = Object.entries(content ?? {});
        const names = Object.keys(headers ?? {});
        return html`<dt><code>${status}</code></dt>
          <dd data-status="${status}">
            ${prose(description)}
            ${first === undefined ? null : html` Body: ${typeWords(first[1].schema ?? {})}${first[0].includes('json') ? '' : `, ${first[0]}`}.`}
            ${names.length === 0 ? null : html` Headers: ${names.join(', ')}.`}
            ${first === undefined ? null : fieldsOf(first[1].schema ?? {}, { isSent: false })}
          </dd>`;
      })}
    </dl>`;
}

function errors({ responses }: OpenApiOperation, document: OpenApiDocument): Html {
  const codes = document['x-error-codes'] ?? {};
  const sentences = (description: string) =>
    description.split(', ').map((word, index) => {
      const sentence = codes[word];
      return sentence === undefined
        ? html`${index === 0 ? '' : ', '}${prose(word)}`
        : html`${index === 0 ? '' : ' '}<code>${word}</code>: ${prose(sentence)}`;
    });
  return html`<details class="errors">
    <summary>What can go wrong</summary>
    <dl class="statuses">
      ${Object.entries(responses)
        .filter(([status]) => status >= '400')
        .map(
          ([status, { description }]) =>
            html`<dt><code>${status}</code></dt>
              <dd data-status="${status}">${sentences(description)}</dd> `,
        )}
    </dl>
  </details>`;
}

/** What a script makes the example run with; without scripts it is not shown. */
function runForm(example: Example): Html {
  const { method, path, parameters, operation, body: sent, needsToken } = example;
  const id = operation.operationId;
  return html`<form
    class="run scripted-only"
    data-method="${method}"
    data-path="${path}"
    data-token="${needsToken ? 'yes' : 'no'}"
    data-type="${sent?.contentType ?? ''}"
    autocomplete="off"
  >
    ${parameters.map(
      ({ name, in: place, required, value, schema }) =>
        html`<label
          ><span><code>${name}</code>${required === true ? null : html` <small>optional</small>`}</span>
          <input
            name="${name}"
            data-in="${place}"
            value="${value}"
            spellcheck="false"
            ${schema.type === 'integer' ? html`inputmode="numeric"` : null}
        /></label> `,
    )}
    ${
      sent === null
        ? null
        : html`<label
            ><span>Body</span>
            <textarea data-in="body" rows="${Math.min(14, sent.text.split('\n').length)}" spellcheck="false">
${sent.text}</textarea>
          </label>`
    }
    <div class="run-line">
      <button class="primary" aria-describedby="${id}-said">
        ${method === 'delete' ? 'Run, and delete' : 'Run'}
      </button>
      <p id="${id}-said" class="said" role="status"></p>
    </div>
    <pre class="output" tabindex="0" aria-label="Response" hidden></pre>
  </form>`;
}

function code(text: Html, label: string): Html {
  return html`<div class="code">
    <p class="code-bar">
      <span>${label}</span>
      <button type="button" class="copy scripted-only" aria-label="Copy: ${label}">Copy</button>
    </p>
    <pre tabindex="0" aria-label="${label}"><code>${text}</code></pre>
  </div>`;
}

function shapes({ components }: OpenApiDocument): Html {
  const schemas = Object.entries(components?.schemas ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  return html`<section class="group" aria-labelledby="shapes">
    <h2 id="shapes">Shapes of data</h2>
    <p class="group-lead">What the operations above take and return, by name.</p>
    ${schemas.map(
      ([name, schema]) =>
        html`<details class="shape" id="shape-${name}">
          <summary><h3>${name}</h3></summary>
          ${schema.description === undefined ? null : html`<p>${prose(schema.description)}</p>`}
          ${fieldsOf(schema, { isSent: name.endsWith('Input') || name.endsWith('Request') }) ?? html`<p>${typeWords(schema)}</p>`}
        </details> `,
    )}
  </section>`;
}
