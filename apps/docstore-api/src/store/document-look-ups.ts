import { SMALL_CONTENTS_BYTES_MAX } from '../rules/limits.ts';
import { createBatchLoader } from './batch-loader.ts';
import type { Document, DocumentHead, DocumentRef, DocumentStore } from './document-store.ts';

/** What is asked of one document at a time. null = absent. */
export interface DocumentLookUps {
  findHead(owner: string, id: string): Promise<DocumentHead | null>;
  /** A large document is read after `takeTurn`. */
  find(owner: string, id: string, takeTurn?: () => Promise<void>): Promise<Document | null>;
}

/** Look-ups in `store` that share statements: of requests that come together one statement serves many. */
export function createDocumentLookUps(
  store: Pick<DocumentStore, 'findHeads' | 'findMany' | 'find'>,
): DocumentLookUps {
  const loadHead = createBatchLoader(async (keys) => byKey(await store.findHeads(keys.map(refOf))));
  const loadDocument = createBatchLoader(async (keys) =>
    // Small contents travel with others; large ones alone, so that nobody waits for them.
    byKey(await store.findMany(keys.map(refOf), SMALL_CONTENTS_BYTES_MAX)),
  );
  return {
    findHead: (owner, id) => loadHead(keyOf({ owner, id })),
    async find(owner, id, takeTurn) {
      const found = await loadDocument(keyOf({ owner, id }));
      if (found === null) return null;
      const { contents } = found;
      if (contents !== null) return { ...found, contents };
      await takeTurn?.();
      return store.find(owner, id);
    },
  };
}

/** Ids have no blanks. */
const keyOf = ({ owner, id }: DocumentRef) => `${id} ${owner}`;

function refOf(key: string): DocumentRef {
  const blank = key.indexOf(' ');
  return { id: key.slice(0, blank), owner: key.slice(blank + 1) };
}

function byKey<Found extends DocumentRef>(found: readonly Found[]): ReadonlyMap<string, Found> {
  return new Map(found.map((document) => [keyOf(document), document]));
}
