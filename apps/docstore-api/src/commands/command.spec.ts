import { describe, expect, it } from '@jest/globals';
import { CommandError, runCommand } from './command.ts';

describe('the command line', () => {
  it.each([
    [['serve', '--port=1'], '`serve` takes no `--port=1`'],
    [['migrate', 'now'], '`migrate` takes no `now`'],
    [['check-quota', '--fix', '--print-config'], '`check-quota` takes no `--fix`'],
    [['--nonsense'], 'unknown command `--nonsense`'],
  ])('refuses %j and says what is understood', async (args, said) => {
    const refused = await runCommand(args, {}).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(CommandError);
    const [first, usage] = (refused as CommandError).message.split('\n');
    expect([first, usage]).toEqual([said, 'usage: docstore <command>']);
  });

  it('says which deployment gives no answer, and why', async () => {
    await expect(runCommand(['verify', 'http://127.0.0.1:1/', '--key', 'dsk_x'], {})).rejects.toThrow(
      'verify: no answer from http://127.0.0.1:1 (bad port)',
    );
  });
});
