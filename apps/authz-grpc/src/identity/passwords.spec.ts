import { describe, expect, it } from '@jest/globals';
import { covers } from '@platform/testing/covers';
import { createPasswords } from './passwords.ts';

const PASSWORD = 'a password for tests 3318';

describe('createPasswords', () => {
  it('passwords are hashed with argon2id at 19 MiB and two passes unless told otherwise', async () => {
    covers('AUTHZ-A.9');
    const hash = await (await createPasswords()).hash(PASSWORD);
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  it('passwords are known by a hash of another cost', async () => {
    covers('AUTHZ-A.9');
    const quick = await createPasswords({ memoryCost: 8, timeCost: 1, parallelism: 1 });
    const hash = await quick.hash(PASSWORD);
    expect(hash).toContain('m=8,t=1,p=1');
    const usual = await createPasswords();
    expect([await usual.matches(hash, PASSWORD), await usual.matches(hash, `${PASSWORD}!`)]).toEqual([
      true,
      false,
    ]);
  });
});
