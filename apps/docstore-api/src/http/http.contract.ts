import { afterAll, beforeAll, describe } from '@jest/globals';
import { clientOf, type Client, type TestService } from '../test-service.fixture.ts';
import type { Api } from './contract/api.ts';
import { changesContract } from './contract/changes.contract.ts';
import { contentsContract } from './contract/contents.contract.ts';
import { documentsContract } from './contract/documents.contract.ts';
import { keysContract } from './contract/keys.contract.ts';
import { listsContract } from './contract/lists.contract.ts';
import { namesContract } from './contract/names.contract.ts';
import { serviceContract } from './contract/service.contract.ts';

/** What every deployment answers, whatever database it stands on. */
export function httpContract(name: string, open: () => Promise<TestService>): void {
  describe(`document store over HTTP on ${name}`, () => {
    let service: TestService;
    let client: Client;
    beforeAll(async () => {
      service = await open();
      client = await clientOf(service);
    });
    afterAll(() => service.close());
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
    namesContract(api);
    serviceContract(api);
  });
}
