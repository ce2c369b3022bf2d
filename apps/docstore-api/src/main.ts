import { SettingsError } from '@platform/service-kit';
import { CommandError, runCommand } from './commands/command.ts';

/** Bad settings or a command line that is not understood. */
const EXIT_USAGE = 2;

runCommand(process.argv.slice(2), process.env).then(
  (exitCode) => {
    if (exitCode !== null) process.exitCode = exitCode;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(error instanceof SettingsError || error instanceof CommandError ? EXIT_USAGE : 1);
  },
);
