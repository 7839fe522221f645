import type { Command, OptionDeclaration, Options } from './command.ts';
import { kebab } from './option-values.ts';
import type { Paint } from './paint.ts';
import { commonOptions } from './parse.ts';
import { padText, textWidth } from './text-width.ts';

const widest = 100;

/** The help of one command, or of the program, which is a command with commands. */
export function formatHelp(
  command: Command,
  path: readonly string[],
  columns: number | undefined,
  paint: Paint,
): string {
  const width = Math.min(columns ?? 80, widest);
  const parts = [
    wrap(`${command.summary}.`, width),
    ...(command.description ?? '').split('\n\n').map((paragraph) => wrap(paragraph, width)),
    section('Usage', [`  ${usageOf(command, path)}`], paint),
    section('Examples', exampleLines(command, paint), paint),
    section('Commands', commandLines(command, width, paint), paint),
    section('Operands', operandLines(command, width, paint), paint),
    section('Options', command.passesThrough ? [] : optionLines(command.options, width, paint), paint),
    section('Options of every command', command.passesThrough ? [] : optionLines(commonOptions, width, paint), paint),
    command.commands.length > 0 ? `“${path.join(' ')} COMMAND --help” explains a command.` : '',
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

function usageOf(command: Command, path: readonly string[]): string {
  if (command.commands.length > 0) return `${path.join(' ')} COMMAND`;
  const operands = command.operands.map(({ name, isOptional, isRepeated }) => {
    const shown = `${name}${isRepeated ? ' …' : ''}`;
    return isOptional ? `[${shown}]` : shown;
  });
  return [...path, ...(Object.keys(command.options).length > 0 ? ['[OPTIONS]'] : []), ...operands].join(' ');
}

const section = (title: string, lines: readonly string[], paint: Paint): string =>
  lines.length === 0 ? '' : `${paint.bold(title)}\n${lines.join('\n')}`;

const exampleLines = ({ examples }: Command, paint: Paint): string[] =>
  examples.flatMap(({ line, text }) => [`  ${paint.dim(`# ${text}`)}`, `  ${paint.cyan(line)}`]);

const commandLines = ({ commands }: Command, width: number, paint: Paint): string[] =>
  columnsOf(
    commands.filter(({ isHidden }) => !isHidden).map(({ name, summary }) => [name, summary]),
    width,
    paint,
  );

const operandLines = ({ operands }: Command, width: number, paint: Paint): string[] =>
  columnsOf(
    operands.map(({ name, help, choices }) => [name, choices ? `${help}: ${choices.join(', ')}` : help]),
    width,
    paint,
  );

const optionLines = (options: Options, width: number, paint: Paint): string[] =>
  columnsOf(
    Object.entries(options).map(([name, option]) => [flagOf(name, option), describeOption(option)]),
    width,
    paint,
  );

function flagOf(name: string, option: OptionDeclaration): string {
  const short = option.short === undefined ? '    ' : `-${option.short}, `;
  return `${short}--${kebab(name)}${option.kind === 'flag' ? '' : ` ${option.value}`}`;
}

function describeOption(option: OptionDeclaration): string {
  const choices = option.kind === 'text' && option.choices ? `: ${option.choices.join(', ')}` : '';
  const fallback = 'fallback' in option && option.fallback !== undefined ? ` (${option.fallback} when missing)` : '';
  const repeated = option.kind === 'text' && option.isRepeated ? '; may be repeated' : '';
  return `${option.help}${choices}${repeated}${fallback}`;
}

function columnsOf(rows: readonly (readonly [string, string])[], width: number, paint: Paint): string[] {
  const first = Math.max(0, ...rows.map(([left]) => textWidth(left)));
  return rows.flatMap(([left, right]) => {
    const lines = wrap(right, Math.max(20, width - first - 4)).split('\n');
    return lines.map((line, at) => `  ${paint.cyan(padText(at === 0 ? left : '', first))}  ${line}`.trimEnd());
  });
}

export function wrap(text: string, width: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ').filter((each) => each !== '')) {
    const last = lines.at(-1);
    if (last !== undefined && textWidth(last) + 1 + textWidth(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}
