import type { Command } from 'commander';

export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** The completion of zsh, which a start-up file may not have loaded, and that of bash in it. */
const ZSH_START = `(( $+functions[compdef] )) || { autoload -U compinit && compinit -i -D; }
autoload -U +X bashcompinit && bashcompinit
`;

/** Words that may follow a command: its subcommands, choices of its arguments and its long options. */
interface Words {
  /** The words before, such as `policies put`; empty for the command itself. */
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly description: string }[];
}

/**
 * The script that completes the commands and options of `program` in a shell; to be read by its start-up
 * file.
 */
export function completionScript(program: Command, shell: (typeof SHELLS)[number]): string {
  const name = program.name();
  const table = wordsOf(program, '');
  if (shell === 'fish') return fishScript(name, table);
  const cases = table
    .map(({ path, words }) => `    '${path}') words='${words.map(({ word }) => word).join(' ')}' ;;`)
    .join('\n');
  // Words that begin with a dash are options; the others name the command so far.
  const script = `_${name}() {
  local path='' word words=''
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD-1))}"; do
    case "$word" in -*) ;; *) path="\${path:+$path }$word" ;; esac
  done
  while :; do
    case "$path" in
${cases.replaceAll(/^ {4}/gm, '      ')}
    esac
    # Arguments of a command are not part of its path.
    [ -n "$words" ] || [ -z "$path" ] && break
    case "$path" in *' '*) path="\${path% *}" ;; *) path='' ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _${name} ${name}
`;
  return shell === 'bash' ? script : ZSH_START + script;
}

function wordsOf(command: Command, path: string): Words[] {
  const { visibleCommands, visibleOptions } = {
    visibleCommands: command.commands,
    visibleOptions: command.options,
  };
  const words = [
    ...visibleCommands.map((one) => ({ word: one.name(), description: one.description() })),
    ...command.registeredArguments
      .flatMap(({ argChoices = [] }) => argChoices)
      .map((word) => ({ word, description: '' })),
    ...visibleOptions.flatMap(({ long, description }) => (long == null ? [] : [{ word: long, description }])),
    { word: '--help', description: 'print the help' },
  ];
  const below = visibleCommands.flatMap((one) =>
    wordsOf(one, path === '' ? one.name() : `${path} ${one.name()}`),
  );
  return [{ path, words }, ...below];
}

function fishScript(name: string, table: readonly Words[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = table.flatMap(({ path, words }) => {
    const seen =
      path === ''
        ? '__fish_use_subcommand'
        : path
            .split(' ')
            .map((part) => `__fish_seen_subcommand_from ${part}`)
            .join('; and ');
    return words.map(({ word, description }) => {
      const what = word.startsWith('--') ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c ${name} -n ${quote(seen)} ${what} -d ${quote(description)}`;
    });
  });
  return `${lines.join('\n')}\n`;
}
