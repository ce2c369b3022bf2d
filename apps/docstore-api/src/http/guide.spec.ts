import { expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { guideOf } from './guide.ts';

it.each([
  ['an authorization service', 'authz:50051', 'platform login alice --tenant acme && platform token'],
  ['no authorization service', undefined, 'node dist/apps/docstore-api/main.js key --owner me'],
])('the guide of a store with %s begins with what works there', (_, authzUrl, command) => {
  covers('DOC-D.65');
  expect(guideOf({}, { authzUrl, port: 8082 }).credential.command).toBe(command);
});
