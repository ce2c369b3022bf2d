import { expect } from '@jest/globals';
import { DOCSTORE_CODES } from '@platform/error-contracts';
import type { Client } from '../test-service.fixture.ts';

/**
 * A body of the JSON parsing test suite; its kind is `y` (valid), `n` (invalid) or `i` (a parser may do
 * either).
 */
export interface JsonText {
  readonly name: string;
  readonly kind: string;
  readonly body: Buffer<ArrayBuffer>;
}

/** Sends each text as a body. None is a document, so each is refused, the valid ones for their fields. */
export async function checkJsonTexts(client: Client, texts: readonly JsonText[]): Promise<void> {
  const target = await client.create('conformance', 'kept');
  const etag = target.etag;
  const wrong: string[] = [];
  for (const { name, kind, body } of texts) {
    const headers = { 'Content-Type': 'application/json' };
    for (const response of [
      await client.send('POST', '/v1/file', { body, headers }),
      await client.send('PUT', `/v1/file/${target.id}`, { body, headers, ifMatch: etag }),
    ]) {
      const code = response.json?.error?.code as keyof typeof DOCSTORE_CODES | undefined;
      const isRefused =
        code !== undefined && DOCSTORE_CODES[code].status === response.status && response.status < 500;
      const hasId = response.json?.error?.request_id === response.headers.get('X-Request-Id');
      const isRight = kind === 'n' ? response.status === 400 : [400, 422].includes(response.status);
      if (!isRefused || !hasId || !isRight)
        wrong.push(`${name} ${response.status} ${response.text.slice(0, 80)}`);
    }
  }
  expect(wrong).toEqual([]);
  const kept = await client.send('GET', `/v1/file/${target.id}`);
  expect([kept.json.contents, kept.json.etag]).toEqual(['kept', etag]);
  expect((await client.send('GET', '/v1/usage')).json.documents.used).toBe(1);
}

/**
 * Stores each string as contents, filename and metadata and reads it back, or is refused with a 4xx that
 * fits.
 */
export async function checkNaughtyStrings(client: Client, strings: readonly string[]): Promise<void> {
  const refused: number[] = [];
  for (const [index, text] of strings.entries()) {
    const asContents = await client.send('POST', '/v1/file', {
      json: { filename: `n${index}`, contents: text, metadata: { text } },
    });
    if (asContents.status === 201) {
      const read = await client.send('GET', `/v1/file/${asContents.json.id}`);
      expect([index, read.json.contents, read.json.metadata]).toEqual([index, text, { text }]);
    } else {
      expect([index, [415, 422].includes(asContents.status)]).toEqual([index, true]);
      refused.push(index);
    }
    const asFilename = await client.send('POST', '/v1/file', { json: { filename: text, contents: '' } });
    if (asFilename.status === 201) {
      const found = await client.send('GET', `/v1/file?filename=${encodeURIComponent(text)}`);
      expect([index, found.json.files.map((file: { filename: string }) => file.filename)]).toEqual([
        index,
        [text],
      ]);
    } else expect([index, [409, 422].includes(asFilename.status)]).toEqual([index, true]);
    if (text !== '' && text.length < 200) {
      const search = await client.send('GET', `/v1/file?mode=substring&query=${encodeURIComponent(text)}`);
      expect([index, search.status < 500]).toEqual([index, true]);
    }
  }
  const forbidden = strings.flatMap((text, index) =>
    /\p{Cc}/u.test(text.replace(/[\t\n\f\r\u0085]/g, '')) ? [index] : [],
  );
  expect(refused).toEqual(forbidden);
}
