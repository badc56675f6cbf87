import type { Command } from 'commander';

/** A command as a shell completes it: its path, such as `admin account`, and what may follow it, or one of its options. */
type Completion = { path: string; words: Map<string, string>; choices: Map<string, string[]> };

/**
 * The script that lets a shell complete the commands of a program, their options, and the choices that some options have.
 * All of these consist of letters, hyphens and underscores, so they need no quoting.
 */
export function completionScript(program: Command, shell: 'bash' | 'zsh' | 'fish'): string {
  const completions = completionsOf(program, []);
  if (shell === 'fish') return fishScript(completions);
  const prefix = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : '';
  return prefix + bashScript(completions);
}

function completionsOf({ commands, options }: Command, path: string[]): Completion[] {
  const words = new Map([
    ...commands.map((one): [string, string] => [one.name(), one.description()]),
    ...options.map(({ long, description }): [string, string] => [long ?? '', description]),
    ['--help', 'display help for command'] as [string, string],
  ]);
  const choices = new Map(
    options.flatMap(({ long, argChoices }): [string, string[]][] =>
      long && argChoices ? [[long, argChoices]] : [],
    ),
  );
  return [
    { path: path.join(' '), words, choices },
    ...commands.flatMap((one) => completionsOf(one, [...path, one.name()])),
  ];
}

/** Every path in quotes, but that of the program itself. */
const quotedPaths = (completions: Completion[]) =>
  completions.filter(({ path }) => path !== '').map(({ path }) => `"${path}"`);

/** Words that are no commands, such as arguments, do not change where the line is. */
function bashScript(completions: Completion[]): string {
  const cases = completions.map(
    ({ path, words }) => `    "${path}") words="${[...words.keys()].join(' ')}" ;;`,
  );
  const choiceCases = completions.flatMap(({ path, choices }) =>
    [...choices].map(([option, values]) => `    "${path} ${option}") words="${values.join(' ')}" ;;`),
  );
  return `_hushpush() {
  local path="" words="" word next index
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    next="\${path:+$path }$word"
    case "$next" in
      ${quotedPaths(completions).join('|')}) path="$next" ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  case "$path \${COMP_WORDS[COMP_CWORD - 1]}" in
${choiceCases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _hushpush hushpush
`;
}

function fishScript(completions: Completion[]): string {
  const lines = completions.flatMap(({ path, words, choices }) =>
    [...words].map(([word, description]) => {
      const values = choices.get(word);
      const option = `-l ${word.slice(2)}${values ? ` -x -a '${values.join(' ')}'` : ''}`;
      const what = word.startsWith('--') ? option : `-f -a ${word}`;
      return `complete -c hushpush -n '__hushpush_at "${path}"' ${what} -d '${description.replace(/[\\']/g, '\\$&')}'`;
    }),
  );
  return `function __hushpush_at
  set -l path ''
  for word in (commandline -opc)[2..-1]
    set -l next (string trim -- "$path $word")
    contains -- "$next" ${quotedPaths(completions).join(' ')}; and set path "$next"
  end
  test "$path" = "$argv[1]"
end
${lines.join('\n')}
`;
}
