import type { Command } from 'commander';
import type { Shell } from '../shell.ts';

/** `signing-keys list | retire`. */
export function addSigningKeys(program: Command, { talking, print, table }: Shell): void {
  const keys = program.command('signing-keys').description('the keys that tokens are signed with');
  keys
    .command('list')
    .description('every published key; the one that signs now is marked')
    .action(
      talking(async (session) => {
        const found = await session.clients.publicKeys.getPublicKey({}, session.extras);
        const rows = found.keys.map((key) => ({
          keyId: key.keyId,
          algorithm: key.algorithm,
          signs: key.keyId === found.keyId ? 'now' : '',
        }));
        print(session, found, table(rows, ['key_id', 'algorithm', 'signs']));
      }),
    );
  keys
    .command('retire <key-id>')
    .description('take a compromised key out on every replica at once; for the system root')
    // One of 64 ids begins as an option does.
    .allowUnknownOption()
    .helpOption('--help')
    .action(
      talking(async (session, keyId: string) => {
        await session.clients.publicKeys.retireSigningKey({ keyId }, session.extras);
        print(session, { retired: keyId }, 'retired: no token that it signed is accepted any more');
      }),
    );
}
