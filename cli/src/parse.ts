import { parseArgs } from 'node:util';
import type { Command, OptionDeclaration, Options } from './command.ts';
import { usageFailure } from './failure.ts';
import { findClosest } from './closest.ts';
import { kebab, readOption } from './option-values.ts';

/** Options that every command takes. */
export const commonOptions = {
  url: { kind: 'text', value: 'ADDRESS', help: 'the server; EARSHOT_URL or the last login otherwise' },
  json: { kind: 'flag', help: 'one line of JSON for each record, for programs' },
  help: { kind: 'flag', short: 'h', help: 'show this help' },
} as const satisfies Options;

export interface Parsed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly operands: readonly string[];
}

/** Splits the words after a command's name into option values and operands. */
export function parseWords(command: Command, words: readonly string[], now: number): Parsed {
  if (command.passesThrough && !['--help', '-h'].includes(words[0] ?? '')) return { values: {}, operands: words };
  const declared: Options = { ...command.options, ...commonOptions };
  const byFlag = new Map(Object.entries(declared).map(([name, option]) => [kebab(name), { name, option }]));
  const { tokens } = parseArgs({
    args: [...words],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries([...byFlag].map(([flag, { option }]) => [flag, parseArgsOption(option)])),
  });
  const values: Record<string, unknown> = {};
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const found = byFlag.get(token.name);
    if (!found) throw unknownOption(token.rawName, [...byFlag.keys()], command);
    addValue(values, found, token.value, now);
  }
  if (values['help'] !== true) checkOperands(command, operands);
  return { values: { ...fallbacks(declared), ...values }, operands };
}

/** Options of every command may stand before the name of a command; they count as if they stood after it. */
export function takeCommonOptions(words: readonly string[]): {
  readonly taken: readonly string[];
  readonly rest: readonly string[];
} {
  let at = 0;
  for (let word = words[0]; word !== undefined; word = words[at]) {
    const [flag = '', value] = word.split('=', 2);
    const option = Object.entries(commonOptions).find(
      ([name, each]) => flag === `--${kebab(name)}` || ('short' in each && flag === `-${each.short}`),
    )?.[1];
    if (!option) break;
    at += option.kind === 'flag' || value !== undefined ? 1 : 2;
  }
  return { taken: words.slice(0, at), rest: words.slice(at) };
}

function parseArgsOption(option: OptionDeclaration) {
  const type = option.kind === 'flag' ? ('boolean' as const) : ('string' as const);
  return option.short === undefined ? { type } : { type, short: option.short };
}

function addValue(
  values: Record<string, unknown>,
  { name, option }: { readonly name: string; readonly option: OptionDeclaration },
  text: string | undefined,
  now: number,
): void {
  if (option.kind === 'flag') {
    if (text !== undefined) readOption(name, option, text, now);
    values[name] = true;
    return;
  }
  if (text === undefined) throw usageFailure(`--${kebab(name)} needs a value: --${kebab(name)} ${option.value}.`);
  const value = readOption(name, option, text, now);
  if (option.kind === 'text' && option.isRepeated) values[name] = [...((values[name] as string[]) ?? []), value];
  else values[name] = value;
}

function fallbacks(declared: Options): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(declared).map(([name, option]) => {
      if (option.kind === 'flag') return [name, false];
      if (option.kind === 'text' && option.isRepeated) return [name, []];
      return [name, 'fallback' in option ? option.fallback : undefined];
    }),
  );
}

function unknownOption(rawName: string, flags: readonly string[], command: Command): Error {
  const close = findClosest(
    rawName,
    flags.map((flag) => `--${flag}`),
  );
  const hint = close === undefined ? '' : ` Did you mean ${close}?`;
  return usageFailure(`There is no option ${rawName}.${hint} “earshot ${command.name} --help” lists the options.`);
}

function checkOperands({ operands }: Command, words: readonly string[]): void {
  const missing = operands.find(({ isOptional }, at) => !isOptional && words[at] === undefined);
  if (missing) throw usageFailure(`${missing.name} is missing: ${missing.help}.`);
  for (const [at, word] of words.entries()) {
    const operand = operands[at] ?? (operands.at(-1)?.isRepeated ? operands.at(-1) : undefined);
    if (!operand) throw usageFailure(`“${word}” is one word too many. Put texts with spaces in quotes.`);
    if (operand.choices && !operand.choices.includes(word)) {
      throw usageFailure(`${operand.name} must be one of ${operand.choices.join(', ')}, not “${word}”.`);
    }
  }
}
