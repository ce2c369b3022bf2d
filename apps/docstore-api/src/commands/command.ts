import { printSettings } from '@platform/service-kit';
import { loadConfig, SETTINGS } from '../config.ts';
import { checkQuota } from './check-quota.ts';
import { createKey } from './create-key.ts';
import { migrateDatabase } from './migrate.ts';
import { serve } from './serve.ts';
import { verifyDeployment } from './verify.ts';

/** A command line that is not understood; the message says what is. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

const USAGE = `usage: docstore <command>
  serve                                       answer requests (default)
  migrate                                     bring the database up to date
  key --owner <tenant> [--name …] [--scopes …] [--expires-in-days n]
                                              make a key with the operator's right: prints it once
  check-quota                                 compare the counters with what is stored; exit code 1 when they differ
  verify <url> --key <dsk_…> [--writers n] [--rounds n]
                                              race writers on a live deployment and check the chain of versions
  --print-config                              print the settings, secrets masked
`;

/** Runs a command line; the exit code, or null while it goes on (serve). Throws CommandError or SettingsError. */
export async function runCommand(args: readonly string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  if (args.includes('--help')) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [command = 'serve', ...rest] = args.filter((arg) => arg !== '--print-config');
  if (command === 'verify') return verifyDeployment(rest, env);
  if (command !== 'key' && rest.length > 0)
    throw new CommandError(`\`${command}\` takes no \`${rest[0]}\`\n${USAGE}`);
  const config = await loadConfig(env);
  if (args.includes('--print-config')) {
    process.stdout.write(printSettings(SETTINGS, config.settings));
    return 0;
  }
  switch (command) {
    case 'serve':
      await serve(config);
      return null;
    case 'migrate':
      return migrateDatabase(config);
    case 'key':
      return createKey(config, rest);
    case 'check-quota':
      return checkQuota(config);
    default:
      throw new CommandError(`unknown command \`${command}\`\n${USAGE}`);
  }
}
