import { buildVersion } from '@earshot/contract/build-version';
import { findClosest } from './closest.ts';
import type { Command, Context } from './command.ts';
import { program } from './commands.ts';
import { connectToServer } from './connection.ts';
import { explainError } from './explain-error.ts';
import { exitCodes, usageFailure } from './failure.ts';
import { formatHelp, wrap } from './help.ts';
import type { Io } from './io.ts';
import type { Output } from './output.ts';
import { createOutput } from './output.ts';
import { createPaint } from './paint.ts';
import { parseWords, takeCommonOptions } from './parse.ts';
import { safeText } from './safe-text.ts';

/** Runs one command line, without the name of the program, and returns the exit code. */
export async function main(words: readonly string[], io: Io, root: Command = program): Promise<number> {
  const output = createOutput(io);
  let url: string | undefined;
  try {
    const found = findCommand(root, words);
    const { command, path, common } = found;
    const rest = [...common, ...found.rest];
    if (path.length === 1 && ['--version', '-V'].includes(found.rest[0] ?? '')) {
      output.say(buildVersion);
      return exitCodes.done;
    }
    if (!command.run) return showGroup(found, io, output);
    const { values, operands } = parseWords(command, rest, Date.now());
    if (values['help'] === true) {
      io.stdout.write(formatHelp(command, path, output.columns, output.paint));
      return exitCodes.done;
    }
    const context: Context = {
      options: values,
      json: values['json'] === true,
      url: values['url'] as string | undefined,
      operands,
      io,
      output,
      connect: async () => {
        const connection = await connectToServer(io, values['url'] as string | undefined);
        url = connection.url;
        return connection;
      },
    };
    await command.run(context);
    return io.signal.aborted && !command.endsOnSignal ? exitCodes.interrupted : exitCodes.done;
  } catch (error) {
    if (io.signal.aborted) return exitCodes.interrupted;
    const { message, exitCode } = explainError(error, url);
    const paint = createPaint(io, io.stderr);
    // A message may have several lines; each of them is escaped.
    const lines = `earshot: ${message}`.split('\n').map((line) => fitLine(safeText(line), io));
    io.stderr.write(`${paint.red('earshot:')}${lines.join('\n').slice('earshot:'.length)}\n`);
    return exitCode;
  }
}

/** Wrapped at words on a terminal; further lines are indented like the first. */
function fitLine(line: string, { stderr }: Io): string {
  if (!stderr.isTTY) return line;
  const indent = /^ */.exec(line)?.[0] ?? '';
  const wrapped = wrap(line, (stderr.columns ?? 80) - indent.length).split('\n');
  return wrapped.map((each) => indent + each).join('\n');
}

interface Found {
  readonly command: Command;
  readonly path: readonly string[];
  /** The options of every command that stand before the name of the command. */
  readonly common: readonly string[];
  readonly rest: readonly string[];
}

/** `earshot help events send` is `earshot events send --help`. */
function findCommand(root: Command, words: readonly string[]): Found {
  const isHelp = words[0] === 'help';
  let command = root;
  const path = ['earshot'];
  const common: string[] = [];
  let rest = isHelp ? words.slice(1) : words;
  while (command.commands.length > 0) {
    const before = takeCommonOptions(rest);
    common.push(...before.taken);
    const [word, ...after] = before.rest;
    rest = before.rest;
    if (word === undefined || word.startsWith('-')) break;
    const next = command.commands.find(({ name }) => name === word);
    if (!next) throw unknownCommand(word, command, path);
    command = next;
    path.push(next.name);
    rest = after;
  }
  return { command, path, common, rest: isHelp ? ['--help'] : rest };
}

function unknownCommand(word: string, command: Command, path: readonly string[]): Error {
  const close = findClosest(
    word,
    command.commands.filter(({ isHidden }) => !isHidden).map(({ name }) => name),
  );
  const hint = close === undefined ? '' : ` Did you mean “${path.join(' ')} ${close}”?`;
  return usageFailure(
    `There is no command “${[...path, word].join(' ')}”.${hint} “${path.join(' ')} --help” lists the commands.`,
  );
}

/** Without a command, the help is the answer to a wrong command line. */
function showGroup({ command, path, common, rest }: Found, io: Io, output: Output): number {
  // Refuses an option without its value.
  const { values } = parseWords(command, common, Date.now());
  const isAsked = values['help'] === true || rest[0] === '--help';
  if (rest[0] !== undefined && !isAsked) {
    throw usageFailure(`There is no option ${rest[0]} here. “${path.join(' ')} --help” lists the commands.`);
  }
  const stream = isAsked ? io.stdout : io.stderr;
  stream.write(formatHelp(command, path, output.columns, createPaint(io, stream)));
  return isAsked ? exitCodes.done : exitCodes.usage;
}
