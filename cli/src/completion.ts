import type { Command, Completes, OptionDeclaration, Options } from './command.ts';
import { kebab } from './option-values.ts';
import { commonOptions, takeCommonOptions } from './parse.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/** Asks the shell to complete names of files or folders by itself. */
const marks: Readonly<Record<Exclude<Completes, 'device'>, string>> = { file: ':file', folder: ':folder' };

/**
 * The words that may stand at the place of the last word, which may be incomplete. All follows from the declarations of
 * the commands; only the serials of devices are asked for.
 */
export async function suggestWords(
  program: Command,
  words: readonly string[],
  listSerials: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const current = words.at(-1) ?? '';
  let command = program;
  let rest = words.slice(0, -1);
  while (command.commands.length > 0 && rest[0] !== undefined) {
    const before = takeCommonOptions(rest).rest;
    // The word to complete is the command, an option, or the value of the option before it.
    if (before.length === 0) break;
    const next = command.commands.find(({ name }) => name === before[0]);
    if (!next) return [];
    command = next;
    rest = before.slice(1);
  }
  const found = await candidates(command, rest, current, listSerials);
  return found.filter((word) => word.startsWith(':') || word.startsWith(current));
}

async function candidates(
  command: Command,
  before: readonly string[],
  current: string,
  listSerials: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  const options: Options = { ...command.options, ...commonOptions };
  const asked = before.at(-1) === undefined ? undefined : optionOf(options, before.at(-1)!);
  if (asked && asked.kind !== 'flag') return valuesOf(asked, listSerials);
  const commands = command.commands.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  if (commands.length > 0 && !current.startsWith('-')) return commands;
  if (current.startsWith('-')) return Object.keys(options).map((name) => `--${kebab(name)}`);
  const place = countOperands(options, before);
  const operand =
    command.operands[place] ?? (command.operands.at(-1)?.isRepeated ? command.operands.at(-1) : undefined);
  return operand ? valuesOf(operand, listSerials) : Object.keys(options).map((name) => `--${kebab(name)}`);
}

const optionOf = (options: Options, word: string): OptionDeclaration | undefined =>
  Object.entries(options).find(([name, { short }]) => word === `--${kebab(name)}` || word === `-${short}`)?.[1];

function countOperands(options: Options, words: readonly string[]): number {
  return words.filter((word, at) => {
    if (word.startsWith('-')) return false;
    const option = at === 0 ? undefined : optionOf(options, words[at - 1]!);
    return !option || option.kind === 'flag';
  }).length;
}

async function valuesOf(
  declared: { readonly choices?: readonly string[]; readonly completes?: Completes },
  listSerials: () => Promise<readonly string[]>,
): Promise<readonly string[]> {
  if (declared.choices) return declared.choices;
  if (declared.completes === undefined) return [];
  // Completion never fails: without a server there are no serials.
  return declared.completes === 'device' ? listSerials().catch(() => []) : [marks[declared.completes]];
}

const scripts: Readonly<Record<Shell, string>> = {
  bash: `_earshot() {
  local IFS=$'\\n' current="\${COMP_WORDS[COMP_CWORD]}" found
  found=$(earshot __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case "$found" in
    :file) COMPREPLY=($(compgen -f -- "$current")); compopt -o filenames ;;
    :folder) COMPREPLY=($(compgen -d -- "$current")); compopt -o filenames ;;
    *) COMPREPLY=($found) ;;
  esac
}
complete -F _earshot earshot
`,
  zsh: `#compdef earshot
_earshot() {
  local -a found
  found=("\${(@f)$(earshot __complete "\${words[@]:1:$((CURRENT-1))}" 2>/dev/null)}")
  case "$found[1]" in
    :file) _files ;;
    :folder) _files -/ ;;
    *) compadd -- $found ;;
  esac
}
if [ "$funcstack[1]" = "_earshot" ]; then _earshot "$@"; else compdef _earshot earshot; fi
`,
  fish: `function __earshot_complete
  set -l words (commandline -opc) (commandline -ct)
  set -l found (earshot __complete $words[2..-1] 2>/dev/null)
  switch "$found[1]"
    case ':file'
      __fish_complete_path (commandline -ct)
    case ':folder'
      __fish_complete_directories (commandline -ct)
    case '*'
      string join \\n -- $found
  end
end
complete -c earshot -f -a '(__earshot_complete)'
`,
};

export const completionScript = (shell: Shell): string => scripts[shell];
