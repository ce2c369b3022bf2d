import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import type { Caller } from '../../auth/caller.ts';
import type { Deps } from '../../ports.ts';
import { ANY_VERSION, exactly } from '../../rules/precondition.ts';
import { parseScopes } from '../../rules/scopes.ts';
import type { Document, DocumentChange } from '../../store/document-store.ts';
import { putPath } from '../path.ts';
import { rewrite } from './rewrite.ts';

const caller: Caller = {
  owner: 'owner',
  subject: 'key',
  scopes: parseScopes('file:read file:write'),
  expiresAt: null,
  leases: [],
};
/** More writers than the rounds after which a change that loses each of them gives up. */
const writers = Array.from({ length: 50 }, (_, n) => n);

/** A store of one document, of whose writers at once one wins: every read is over before the first write. */
function oneDocument() {
  const document = { id: 'file', filename: 'notes', etag: '0', version: 1, metadata: {}, contents: '' };
  const read = async () => {
    await nextTick();
    return { ...document } as unknown as Document;
  };
  const documents = {
    find: read,
    findHeadByFilename: read,
    async update(_: string, { condition, newEtag, metadata }: DocumentChange) {
      await nextTick();
      if (!condition.anyOf?.includes(document.etag)) return { kind: 'mismatch', etag: document.etag };
      Object.assign(document, { etag: newEtag, version: document.version + 1, metadata });
      return { kind: 'written', head: { ...document } };
    },
  };
  const deps = { documents, quota: {}, now: () => new Date() } as unknown as Deps;
  return { deps, document };
}

describe('changes of one document by many writers at once', () => {
  it('rewrite carries out every change that accepts any version', async () => {
    covers('DOC-D.63');
    const { deps, document } = oneDocument();
    const target = { id: document.id, condition: ANY_VERSION };
    await Promise.all(
      writers.map((n) =>
        rewrite(deps, caller, target, async ({ metadata }) => ({ metadata: { ...metadata, [n]: '' } })),
      ),
    );
    expect(Object.keys(document.metadata)).toEqual(writers.map(String));
  });

  it('rewrite refuses a change of a version that is replaced without waiting for others', async () => {
    covers('DOC-D.63');
    const { deps, document } = oneDocument();
    const target = { id: document.id, condition: exactly(document.etag) };
    const results = await Promise.allSettled(
      writers.map(() => rewrite(deps, caller, target, async () => ({ metadata: {} }))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('putPath carries out every change that accepts any version', async () => {
    covers('DOC-D.63');
    const { deps, document } = oneDocument();
    await Promise.all(
      writers.map((n) =>
        putPath(deps, caller, document.filename, { ifMatch: '*' }, { contents: `${n}`, metadata: {} }),
      ),
    );
    expect(document.version).toBe(1 + writers.length);
  });
});
