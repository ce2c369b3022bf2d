import { readFileSync } from 'node:fs';
import { parseArgs, type ParseArgsConfig } from 'node:util';

/** The comment at the head of a program as plain text, which says what the program does and takes. */
export function headOf(source: string): string {
  const [, comment] = /^\/\*\*\n(.*?)\n \*\//s.exec(source)!;
  return comment!.replace(/^ \* ?/gm, '');
}

type OptionsConfig = NonNullable<ParseArgsConfig['options']>;

/**
 * The options on the command line of the program in `file`. `--help` prints the comment at the head of that
 * file and ends the process; so does what the program does not take, naming what it takes, with code 1.
 */
export function readOptions<const Options extends OptionsConfig>(file: string, options: Options) {
  return readArguments(file, options, false).values;
}

/** As `readOptions`, for a program that takes names as well: `{ values, positionals }`. */
export function readOptionsAndNames<const Options extends OptionsConfig>(file: string, options: Options) {
  return readArguments(file, options, true);
}

function readArguments<const Options extends OptionsConfig>(
  file: string,
  options: Options,
  allowPositionals: boolean,
) {
  if (process.argv.includes('--help')) {
    console.log(headOf(readFileSync(file, 'utf8')));
    process.exit(0);
  }
  try {
    return parseArgs({ options, allowPositionals });
  } catch (error) {
    const names = [...Object.keys(options), 'help'].map((name) => `--${name}`);
    console.error(`${(error as Error).message.split('. ')[0]}; the options are ${names.join(', ')}`);
    process.exit(1);
  }
}
