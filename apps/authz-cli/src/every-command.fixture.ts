import type { Command } from 'commander';
import { buildProgram } from './program.ts';

export const UUID = '11111111-1111-4111-8111-111111111111';

/** What an argument or an option takes, by its name, where any text would not do. */
const VALUES: Readonly<Record<string, string>> = {
  object: `svc://${UUID}/docs/plan`,
  since: '7d',
  at: '1',
  version: '1',
  key: 'team',
  plane: 'data',
};

/** What a command takes one of, though each is optional. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  explain: ['bob', 'read', `svc://${UUID}/docs/plan`],
  'policies diff': ['--from', '1'],
  'tenants set-quota': ['--calls', '5'],
};

/** Commands that take a tenant only together with another option. */
const WITHOUT_TENANT = ['explain'];

/** A command line for every command, with its arguments and what it requires; `file` is a policy file. */
export function everyCommand(file: string): string[][] {
  return linesOf(buildProgram({ env: {}, out: () => {}, setExitCode: () => {} }), [], file);
}

function linesOf(command: Command, path: readonly string[], file: string): string[][] {
  if (command.commands.length > 0)
    return command.commands.flatMap((one) => linesOf(one, [...path, one.name()], file));
  const valueOf = (name: string) =>
    name === 'file' ? file : (VALUES[name] ?? (/id$|tenant|domain|account/i.test(name) ? UUID : 'x'));
  const given = command.registeredArguments
    .filter(({ required }) => required)
    .map((argument) => argument.argChoices?.[0] ?? valueOf(argument.name()));
  const places = WITHOUT_TENANT.includes(path.join(' ')) ? [] : ['--tenant', '--domain'];
  const options = command.options
    .filter(({ mandatory, long }) => mandatory || places.includes(long ?? ''))
    .flatMap((option) => [option.long!, option.argChoices?.[0] ?? valueOf(option.attributeName())]);
  return [[...path, ...given, ...(MORE[path.join(' ')] ?? []), ...options]];
}
