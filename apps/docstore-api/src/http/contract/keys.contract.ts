import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { clientOf } from '../../test-service.fixture.ts';
import { expectError, type Api } from './api.ts';

/** Keys, and what their scopes let them do. */
export function keysContract(api: Api): void {
  const { send, create } = api;

  describe('keys', () => {
    it('keys are made with a subset of scopes, shown once, listed, read, rotated and revoked at once', async () => {
      covers('DOC-D.9', 'DOC-D.19');
      const made = await send('POST', '/v1/key', {
        json: { name: 'n', scopes: 'key:manage file:read#prefix=notes/', expires_in_days: 1 },
      });
      expect(made.status).toBe(201);
      const { key, ...rest } = made.json;
      expect(key).toMatch(/^dsk_live_[0-9A-Za-z]{16}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/);
      expect(Date.parse(rest.expires_at) - Date.parse(rest.created_at)).toBe(24 * 3600 * 1000);
      expect((await send('GET', `/v1/key/${rest.id}`)).json).toEqual(rest);
      const listed = await send('GET', '/v1/key');
      expect(listed.json.keys).toContainEqual(rest);
      expect(listed.text).not.toContain(key.split('_')[3]);

      expectError(
        await send('POST', '/v1/key', { key, json: { name: 'x', scopes: 'file:read' } }),
        403,
        'forbidden',
      );
      expectError(
        await send('POST', '/v1/key', {
          key,
          json: { name: 'x', scopes: 'file:read#prefix=notes/', expires_in_days: 2 },
        }),
        403,
        'forbidden',
      );
      const child = await send('POST', '/v1/key', {
        key,
        json: { name: 'x', scopes: 'file:read#prefix=notes/deep/' },
      });
      expect([child.status, child.json.expires_at]).toEqual([201, rest.expires_at]);
      // The day of the new key ends later than that of its maker, by the time between the two requests.
      const ofOneDay = { name: 'x', scopes: 'file:read#prefix=notes/', expires_in_days: 1 };
      const equal = await send('POST', '/v1/key', { key, json: ofOneDay });
      expect([equal.status, equal.json.expires_at]).toEqual([201, rest.expires_at]);
      expectError(
        await send('POST', `/v1/key/${listed.json.keys.at(-1).id}/rotate`, { key }),
        403,
        'forbidden',
      );

      const rotated = await send('POST', `/v1/key/${rest.id}/rotate`);
      expect([rotated.status, rotated.json.id]).toEqual([200, rest.id]);
      expectError(await send('GET', '/v1/key', { key }), 401, 'unauthorized');
      expect((await send('GET', '/v1/key', { key: rotated.json.key })).status).toBe(200);
      expect((await send('DELETE', `/v1/key/${rest.id}`)).status).toBe(204);
      expectError(await send('GET', '/v1/key', { key: rotated.json.key }), 401, 'unauthorized');
      expectError(await send('DELETE', `/v1/key/${rest.id}`), 404, 'not_found');
      expectError(await send('GET', `/v1/key/${rest.id}`), 404, 'not_found');
    });

    it("a key's name is a text that can be stored, and a malformed key id is 404", async () => {
      for (const name of ['a\u0000', '\ud800', '']) {
        const response = await send('POST', '/v1/key', { json: { name, scopes: 'file:read' } });
        expectError(response, 422, 'validation_failed');
        expect(Object.keys(response.json.error.details)).toEqual(['name']);
      }
      const named = await send('POST', '/v1/key', { json: { name: 'n\n\ud83d\ude00', scopes: 'file:read' } });
      expect([named.status, named.json.name]).toEqual([201, 'n\n\ud83d\ude00']);
      for (const id of ['%00', 'key_%00', `${named.json.id}%00`]) {
        expectError(await send('GET', `/v1/key/${id}`), 404, 'not_found');
        expectError(await send('DELETE', `/v1/key/${id}`), 404, 'not_found');
        expectError(await send('POST', `/v1/key/${id}/rotate`), 404, 'not_found');
      }
    });

    it('keys keep a scope that is sent twice once', async () => {
      covers('DOC-D.9');
      const scopes = 'file:read file:read#prefix=a%20b/ file:read file:read#prefix=a%20b/';
      const { status, json } = await send('POST', '/v1/key', { json: { name: 'n', scopes } });
      expect([status, json.scopes]).toEqual([201, 'file:read file:read#prefix=a%20b/']);
    });

    it('keys have scopes of at most 8,192 characters, and an owner at most 1,000 keys', async () => {
      const owner = await clientOf(api.service);
      const mint = (text: string) => owner.send('POST', '/v1/key', { json: { name: 'n', scopes: text } });
      const long = await mint(Array.from({ length: 820 }, () => 'file:read').join(' '));
      expectError(long, 422, 'validation_failed');
      expect(Object.keys(long.json.error.details as object)).toEqual(['scopes']);
      await api.service.deps.database.query(
        `INSERT INTO api_keys (id, owner, name, scopes, secret_hash, created_at)
         SELECT 'key_' || $1 || n, $1, 'many', 'usage:read', '', now() FROM generate_series(1, 998) n`,
        [owner.owner],
      );
      const last = await mint('file:read');
      expect(last.status).toBe(201);
      expectError(await mint('file:read'), 422, 'unprocessable_entity');
      expect((await owner.send('DELETE', `/v1/key/${last.json.id}`)).status).toBe(204);
      expect((await mint('file:read')).status).toBe(201);
    });

    it('expired keys neither count nor appear in lists, and are swept', async () => {
      covers('DOC-D.26');
      const owner = await clientOf(api.service);
      const { database, keys } = api.service.deps;
      await database.query(
        `INSERT INTO api_keys (id, owner, name, scopes, secret_hash, created_at, expires_at)
         SELECT 'key_' || $1 || n, $1, 'dead', 'usage:read', '', now(), now() - interval '1 second'
         FROM generate_series(1, 1000) n`,
        [owner.owner],
      );
      const minted = await owner.send('POST', '/v1/key', { json: { name: 'n', scopes: 'file:read' } });
      expect(minted.status).toBe(201);
      const listed = await owner.send('GET', '/v1/key');
      expect(listed.json.keys).toHaveLength(2);
      await keys.forgetDead(new Date());
      const { rows } = await database.query('SELECT id FROM api_keys WHERE owner = $1', [owner.owner]);
      expect(rows).toHaveLength(2);
    });

    it('a rotated key accepts both secrets during the overlap, and without one the new secret alone', async () => {
      covers('DOC-D.27');
      const { json: minted } = await send('POST', '/v1/key', { json: { name: 'n', scopes: 'usage:read' } });
      const rotate = (json?: unknown) => send('POST', `/v1/key/${minted.id}/rotate`, { json });
      const overlapped = await rotate({ overlap_seconds: 3600 });
      expect(overlapped.status).toBe(200);
      const status = async (key: string) => (await send('GET', '/v1/usage', { key })).status;
      expect([await status(minted.key), await status(overlapped.json.key)]).toEqual([200, 200]);
      const last = await rotate();
      expect([
        await status(minted.key),
        await status(overlapped.json.key),
        await status(last.json.key),
      ]).toEqual([401, 401, 200]);
      expectError(await rotate({ overlap_seconds: 86_401 }), 422, 'validation_failed');
    });

    it('a key may end or rotate only keys that it could have made', async () => {
      covers('DOC-D.28');
      const strong = await send('POST', '/v1/key', {
        json: { name: 'strong', scopes: 'file:read key:manage' },
      });
      const scopes = 'file:read file:write#prefix=notes/ key:manage';
      const weak = await send('POST', '/v1/key', { json: { name: 'weak', scopes, expires_in_days: 1 } });
      const { key } = weak.json;
      for (const [method, path] of [
        ['DELETE', `/v1/key/${strong.json.id}`],
        ['POST', `/v1/key/${strong.json.id}/rotate`],
      ] as const)
        expectError(await send(method, path, { key }), 403, 'forbidden');
      const own = await send('POST', '/v1/key', {
        key,
        json: { name: 'own', scopes: 'file:read', expires_in_days: 1 },
      });
      expect([own.status, own.json.expires_at]).toEqual([201, weak.json.expires_at]);
      expect((await send('DELETE', `/v1/key/${own.json.id}`, { key })).status).toBe(204);
      expect((await send('DELETE', `/v1/key/${weak.json.id}`, { key })).status).toBe(204);
    });

    it('keys live a year unless they are given an end', async () => {
      covers('DOC-D.28');
      const { json } = await send('POST', '/v1/key', { json: { name: 'n', scopes: 'file:read' } });
      // The key that made it was made a moment before, and ends a moment before.
      const days = (Date.parse(json.expires_at) - Date.parse(json.created_at)) / (24 * 3600 * 1000);
      expect(days).toBeCloseTo(365, 1);
    });

    it('keys with a prefix read no version whose filename was outside it', async () => {
      covers('DOC-D.29');
      const { id, etag } = await create('secret/a', 'secret text');
      const moved = await send('PUT', `/v1/file/${id}`, {
        json: { filename: 'notes/a', contents: 'public text' },
        ifMatch: etag,
      });
      const scopes = 'file:read#prefix=notes/ file:write#prefix=notes/';
      const limited = await clientOf(api.service, api.client.owner, scopes);
      expectError(await limited.send('GET', `/v1/file/${id}/versions/1`), 403, 'forbidden');
      expect((await limited.send('GET', `/v1/file/${id}/versions/2`)).status).toBe(200);
      const history = await limited.send('GET', `/v1/file/${id}/versions`);
      expect(history.json.versions.map(({ version }: { version: number }) => version)).toEqual([2]);
      const merge = { json: { base_etag: etag, contents: 'x' } };
      expectError(await limited.send('POST', `/v1/file/${id}/merge`, merge), 403, 'forbidden');
      expect(moved.status).toBe(200);
    });

    it('keys without file:read learn nothing of contents from what they write', async () => {
      covers('DOC-D.29');
      const writer = await clientOf(api.service, api.client.owner, 'file:write');
      const { id } = await create('guarded', 'hunter2');
      for (const old_str of ['hunter2', 'hunter3']) {
        const edit = { json: { old_str, new_str: old_str }, ifMatch: '*' };
        expectError(await writer.send('POST', `/v1/file/${id}/edit`, edit), 403, 'forbidden');
      }
      for (const response of [
        await writer.send('PATCH', `/v1/file/${id}`, { json: { metadata: { a: 'b' } }, ifMatch: '*' }),
        await writer.send('POST', '/v1/file', { json: { filename: 'written', contents: 'x' } }),
        await writer.send('PUT', `/v1/file/${id}`, {
          json: { filename: 'guarded', contents: 'y' },
          ifMatch: '*',
        }),
      ]) {
        expect([200, 201]).toContain(response.status);
        for (const field of ['contents', 'size', 'sha256']) expect(response.json).not.toHaveProperty(field);
        expect(response.headers.get('Repr-Digest')).toBeNull();
      }
    });

    it('store no secret', async () => {
      const { rows } = await api.service.deps.database.query('SELECT * FROM api_keys');
      const secret = api.client.key.split('_')[3]!;
      expect(JSON.stringify(rows)).not.toContain(secret);
      expect(
        Buffer.compare((rows[0] as { secret_hash: Uint8Array }).secret_hash, Buffer.from(secret)),
      ).not.toBe(0);
    });

    it.each([
      '',
      'file:reed',
      'file:read  file:write',
      'file:read#',
      'file:read#prefix=',
      'file:read#prefix=a#b',
      'file:read#prefix=%zz',
      'FILE:READ',
    ])('a key with the scopes `%s` gets 400', async (scopes) => {
      covers('DOC-A.4');
      expectError(await send('POST', '/v1/key', { json: { name: 'n', scopes } }), 400, 'bad_request');
    });

    it('keys reach only filenames with their prefix', async () => {
      covers('DOC-A.3', 'DOC-E.forbidden');
      const inside = await create('limited/a', 'needle');
      const outside = await create('elsewhere/a', 'needle');
      const scopes = 'file:read#prefix=limited/ file:write#prefix=limited/ file:delete#prefix=limited/';
      const limited = await clientOf(api.service, api.client.owner, scopes);
      expect((await limited.send('GET', `/v1/file/${inside.id}`)).status).toBe(200);
      expectError(await limited.send('GET', `/v1/file/${outside.id}`), 403, 'forbidden');
      expectError(await limited.send('DELETE', `/v1/file/${outside.id}`), 403, 'forbidden');
      const json = { filename: 'elsewhere/b', contents: '' };
      expectError(await limited.send('POST', '/v1/file', { json }), 403, 'forbidden');
      expectError(
        await limited.send('PUT', `/v1/file/${inside.id}`, { json, ifMatch: '*' }),
        403,
        'forbidden',
      );
      expectError(
        await limited.send('PATCH', `/v1/file/${inside.id}`, { json: { filename: 'x' }, ifMatch: '*' }),
        403,
        'forbidden',
      );
      expectError(await limited.send('GET', '/v1/usage'), 403, 'forbidden');
      const found = await limited.send('GET', '/v1/file?mode=substring&query=needle');
      expect(found.json.files.map(({ id }: { id: string }) => id)).toEqual([inside.id]);
    });

    it('bad keys of every kind get the same 401 with a challenge', async () => {
      covers('DOC-A.1', 'DOC-A.2', 'DOC-E.unauthorized');
      const expired = await api.service.keyFor(api.client.owner, 'file:read', 1e-7);
      await new Promise((resolve) => setTimeout(resolve, 30));
      const last = api.client.key.at(-1) === 'a' ? 'b' : 'a';
      const bad = [
        expired,
        api.client.key.slice(0, -1) + last,
        api.client.key.replace('live', 'test'),
        'dsk_x',
        'eyJ.e30.x',
        api.client.key.replace(/_.{32}_/, `_${'0'.repeat(32)}_`),
      ];
      const messages = new Set<string>();
      for (const key of bad) {
        const response = await send('GET', '/v1/file', { key });
        expectError(response, 401, 'unauthorized');
        expect(response.headers.get('WWW-Authenticate')).toBe(
          'Bearer realm="docstore", error="invalid_token"',
        );
        messages.add(response.json.error.message);
      }
      expect(messages.size).toBe(1);
      const none = await send('GET', '/v1/file', { key: null });
      expectError(none, 401, 'unauthorized');
      expect(none.headers.get('WWW-Authenticate')).toBe('Bearer realm="docstore"');
      expectError(
        await send('GET', '/v1/file', { key: null, headers: { Authorization: `Basic ${api.client.key}` } }),
        401,
        'unauthorized',
      );
    });
  });
}
