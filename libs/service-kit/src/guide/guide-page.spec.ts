import { describe, expect, it } from '@jest/globals';
import { groupOperations, OTHER_GROUP } from './group-operations.ts';
import { renderGuide } from './guide-page.ts';

const HOSTILE = '"><img src=x onerror=alert(1)>';
const ASSETS = { styles: '/s.css', script: '/s.js' };
const operation = (operationId: string, more: object = {}) => ({
  operationId,
  summary: `Do ${operationId}`,
  tags: ['Work'],
  responses: { 200: { description: 'Success.' }, 404: { description: 'gone' } },
  ...more,
});
const guideOf = (paths: object, more: object = {}) => ({
  document: { info: { title: 'Test', version: '1' }, tags: [{ name: 'Work' }], paths, ...more },
  openApiUrl: '/openapi.json',
  credential: { words: 'Ask for a token.' },
  first: 'first',
  exampleUrl: 'http://127.0.0.1:1',
});
/** The text of a block of code, as a reader sees it. */
const codeOf = (page: string, label: string) =>
  new RegExp(`aria-label="${label}"><code>(.*?)</code>`, 's')
    .exec(page.slice(page.indexOf('data-operation=')))![1]!
    .replace(/<span data-line="[^"]*" hidden>.*?<\/span>'?,?<\/span>/gs, '')
    .replace(/<[^>]+>/g, '')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"');

describe('the guide', () => {
  it('the guide reads an event stream part by part in curl and TypeScript', () => {
    const content = { 'text/event-stream': { schema: { type: 'string' } } };
    const first = operation('first', { responses: { 200: { description: 'Events.', content } } });
    const page = renderGuide(guideOf({ '/events': { get: first } }), ASSETS);
    expect(codeOf(page, 'curl')).toBe('curl -N "$BASE/events"');
    expect(codeOf(page, 'TypeScript')).toContain('for await (const part of response.body!');
  });

  it('the guide shows curl and TypeScript of the same call, with quotes that a shell keeps', () => {
    const body = { content: { 'application/json': { example: { name: "it's" } } } };
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' }, example: 'a b/c' },
      { name: 'limit', in: 'query', schema: { type: 'integer' }, example: 2 },
      { name: 'If-Match', in: 'header', schema: { type: 'string' } },
    ];
    const first = operation('first', { parameters, requestBody: body, security: [{ bearer: [] }] });
    const page = renderGuide(guideOf({ '/items/{id}': { put: first } }), ASSETS);
    expect(codeOf(page, 'curl').split(' \\\n')).toEqual([
      'curl -X PUT "$BASE/items/a%20b/c?limit=2"',
      '  -H "Authorization: Bearer $TOKEN"',
      "  -H 'Content-Type: application/json'",
      `  -d '{\n  "name": "it'\\''s"\n}'`,
    ]);
    expect(codeOf(page, 'TypeScript')).toBe(
      [
        'const response = await fetch(`${BASE}/items/a%20b/c?limit=2`, {',
        "  method: 'PUT',",
        '  headers: {',
        '    Authorization: `Bearer ${TOKEN}`,',
        "    'Content-Type': 'application/json',",
        '  },',
        '  body: JSON.stringify({',
        '    "name": "it\'s"',
        '  }),',
        '});',
        'console.log(response.status);',
      ].join('\n'),
    );
  });

  it('the guide writes what documents say as text, never as markup', () => {
    const first = operation('first', {
      summary: HOSTILE,
      description: HOSTILE,
      parameters: [{ name: HOSTILE, in: 'query', schema: { type: 'string', description: HOSTILE } }],
      requestBody: { content: { 'application/json': { example: HOSTILE } } },
    });
    const page = renderGuide(
      guideOf({ '/x': { post: first } }, { components: { schemas: { Odd: { description: HOSTILE } } } }),
      ASSETS,
    );
    expect(page).not.toContain('<img');
    expect(page.match(/&lt;img/g)!.length).toBeGreaterThan(5);
  });

  it('the guide lists fields with type, limits and whether they must be sent', () => {
    const schema = {
      type: 'object',
      required: ['name'],
      properties: {
        name: { type: 'string', minLength: 1, maxLength: 2000, description: 'What it is `called`.' },
        kinds: { type: 'array', maxItems: 3, items: { type: 'string', enum: ['a', 'b'] } },
        share: { type: ['number', 'null'], minimum: 0, maximum: 1, default: 0.5 },
      },
    };
    const first = operation('first', { requestBody: { content: { 'application/json': { schema } } } });
    const page = renderGuide(guideOf({ '/x': { post: first } }), ASSETS);
    const text = page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
    expect(text).toContain('name required text 1 to 2,000 characters What it is called .');
    expect(text).toContain('kinds list of one of a , b at most 3 items');
    expect(text).toContain('share number or null 0 to 1; default 0.5');
    // Without an example the body is what the schema requires.
    expect(codeOf(page, 'curl')).toContain('"name": "text"');
  });

  it('the guide explains the words of an error by the sentences of the document', () => {
    const page = renderGuide(
      guideOf({ '/x': { get: operation('first') } }, { 'x-error-codes': { gone: 'It was deleted.' } }),
      ASSETS,
    );
    expect(page).toContain('<code>gone</code>: It was deleted.');
  });

  it.each([
    ['no tag', { tags: [] }],
    ['two tags', { tags: ['Work', 'Play'] }],
    ['a tag that the document does not list', { tags: ['Play'] }],
  ])('a document with an operation of %s is refused', (_case, more) => {
    expect(() => renderGuide(guideOf({ '/x': { get: operation('first', more) } }), ASSETS)).toThrow(
      'first must have one tag',
    );
  });

  it('a document without the operation to begin with is refused', () => {
    expect(() => renderGuide(guideOf({ '/x': { get: operation('other') } }), ASSETS)).toThrow('first');
  });

  it('a path that no group fits is in the last group, and groups without operations are left out', () => {
    const untagged = { operationId: 'a' };
    const groups = [
      { name: 'One', description: '', paths: /^\/one/ },
      { name: 'Two', description: '', paths: /^\/two/ },
    ];
    const grouped = groupOperations(
      { paths: { '/one': { get: untagged }, '/odd': { get: untagged } } },
      groups,
    );
    expect(grouped).toMatchObject({
      tags: [{ name: 'One' }, { name: OTHER_GROUP }],
      paths: { '/one': { get: { tags: ['One'] } }, '/odd': { get: { tags: [OTHER_GROUP] } } },
    });
  });
});
