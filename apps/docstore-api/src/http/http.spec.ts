import { afterAll, beforeAll, describe } from '@jest/globals';
import { startPostgres, type Postgres } from '@platform/testing';
import { clientOf, startTestService, type Client, type TestService } from '../test-service.fixture.ts';
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

/**
 * The HTTP contract runs over one database; `document-store.contract.ts` holds both databases to the same
 * promises.
 */
describe('document store over HTTP', () => {
  let postgres: Postgres;
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    postgres = await startPostgres();
    service = await startTestService(await postgres.createDatabase());
    client = await clientOf(service);
  });
  afterAll(async () => {
    await service?.close();
    await postgres?.stop();
  });
  const api: Api = {
    get service() {
      return service;
    },
    get client() {
      return client;
    },
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
