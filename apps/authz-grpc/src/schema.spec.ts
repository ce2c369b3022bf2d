import { fileURLToPath } from 'node:url';
import { expect, it } from '@jest/globals';
import { schemaDrift } from '@platform/database/drift';

const file = (path: string) => fileURLToPath(new URL(`../../../prisma/authz/${path}`, import.meta.url));

it('the migrations make the schema, nothing more and nothing less', async () => {
  expect(await schemaDrift(file('migrations'), file('schema.prisma'))).toBeNull();
});
