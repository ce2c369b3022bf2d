import { describe } from '@jest/globals';
import type { Api } from './contract/api.ts';
import { changesContract } from './contract/changes.contract.ts';
import { contentsContract } from './contract/contents.contract.ts';
import { documentsContract } from './contract/documents.contract.ts';
import { keysContract } from './contract/keys.contract.ts';
import { listsContract } from './contract/lists.contract.ts';
import { messagesContract } from './contract/messages.contract.ts';
import { namesContract } from './contract/names.contract.ts';
import { preconditionsContract } from './contract/preconditions.contract.ts';
import { serviceContract } from './contract/service.contract.ts';
import { useTestService } from './service-for-suite.fixture.ts';

/**
 * The HTTP contract runs over one database; `document-store.contract.ts` holds both databases to the same
 * promises.
 */
describe('document store over HTTP', () => {
  const { service, client } = useTestService();
  const api: Api = {
    service,
    client,
    send: (...args) => client.send(...args),
    create: (...args) => client.create(...args),
  };

  documentsContract(api);
  contentsContract(api);
  changesContract(api);
  keysContract(api);
  listsContract(api);
  messagesContract(api);
  namesContract(api);
  preconditionsContract(api);
  serviceContract(api);
});
