import type { Client, ClientOptions } from '@earshot/client/client';
import type { Io } from './io.ts';
import type { Output } from './output.ts';

/**
 * A command is declared once: parsing, help and completion are derived from the declaration.
 *
 * ```ts
 * export const greetCommand: Command = defineCommand({
 *   name: 'greet',
 *   summary: 'Greet a device',
 *   operands: [{ name: 'DEVICE', help: 'its name, serial or number', completes: 'device' }],
 *   options: { times: { kind: 'integer', least: 1, most: 9, fallback: 1, value: 'N', help: 'how often' } },
 *   examples: [{ line: 'earshot greet recorder-17 --times 2', text: 'twice' }],
 *   async run({ options, operands, output }) {
 *     for (let i = 0; i < options.times; i += 1) output.say(`Hello ${operands[0]}`);
 *   },
 * });
 * ```
 */
export interface Command {
  readonly name: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Paragraphs of the help, if the summary does not say it all. */
  readonly description?: string;
  readonly operands: readonly OperandDeclaration[];
  readonly options: Options;
  readonly examples: readonly CommandExample[];
  /** `earshot events send`: a command either has commands or runs. */
  readonly commands: readonly Command[];
  /** All that follows the name is passed on in `operands`, options included. */
  readonly passesThrough?: boolean;
  /** A signal is its usual end, with code 0. */
  readonly endsOnSignal?: boolean;
  /** Not in the help and not completed. */
  readonly isHidden?: boolean;
  /** Throws a Failure (failure.ts) with a message for people and the exit code. */
  readonly run?: (context: Context) => Promise<void>;
}

export interface CommandExample {
  /** The whole command line, beginning with `earshot`. */
  readonly line: string;
  readonly text: string;
}

/** Words that a shell completes from what exists. */
export type Completes = 'file' | 'folder' | 'device';

export interface OperandDeclaration {
  /** In capitals, as the help shows it. */
  readonly name: string;
  readonly help: string;
  readonly isOptional?: boolean;
  /** The last operand takes all words that remain. */
  readonly isRepeated?: boolean;
  readonly choices?: readonly string[];
  readonly completes?: Completes;
}

interface AnyOption {
  /** One line, without a capital and without a full stop. */
  readonly help: string;
  readonly short?: string;
}

interface ValueOption extends AnyOption {
  /** The word for its value in the help: `FILE`, `SECONDS`. */
  readonly value: string;
  readonly completes?: Completes;
}

export interface FlagOption extends AnyOption {
  readonly kind: 'flag';
}

export interface TextOption extends ValueOption {
  readonly kind: 'text';
  readonly choices?: readonly string[];
  readonly fallback?: string;
  /** May be given more than once. */
  readonly isRepeated?: boolean;
}

export interface NumberOption extends ValueOption {
  readonly kind: 'integer' | 'number';
  readonly least?: number;
  readonly most?: number;
  readonly fallback?: number;
}

/** A moment: an ISO date or date-time, `yesterday`, `2h` (ago). The value is in milliseconds since 1970. */
export interface TimeOption extends ValueOption {
  readonly kind: 'time';
}

export type OptionDeclaration = FlagOption | TextOption | NumberOption | TimeOption;
export type Options = Readonly<Record<string, OptionDeclaration>>;

type Missing<Option> = Option extends { readonly fallback: string | number } ? never : undefined;

type ValueOf<Option> = Option extends FlagOption
  ? boolean
  : Option extends TextOption
    ? Option extends { readonly isRepeated: true }
      ? readonly string[]
      : string | Missing<Option>
    : number | Missing<Option>;

/** The names in camelCase: `--talk-group` is `talkGroup` in the declaration and here. */
export type OptionValues<Declared extends Options> = { readonly [Name in keyof Declared]: ValueOf<Declared[Name]> };

/** A server, and the credential that was found for it. */
export interface Connection {
  readonly url: string;
  readonly client: Client;
  /** For `subscribe`, `uploadRecording` and `downloadSound` of the client. */
  readonly clientOptions: ClientOptions;
}

export interface Context<Values = Readonly<Record<string, unknown>>> {
  readonly options: Values;
  /** `--json`: one line of JSON for each record on standard output, nothing else. */
  readonly json: boolean;
  readonly operands: readonly string[];
  readonly io: Io;
  readonly output: Output;
  /** The value of `--url`. */
  readonly url: string | undefined;
  /** Throws a Failure if no address or no credential is known. */
  readonly connect: () => Promise<Connection>;
}

interface Definition<Declared extends Options> {
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly operands?: readonly OperandDeclaration[];
  readonly options?: Declared;
  readonly examples: readonly CommandExample[];
  readonly passesThrough?: boolean;
  readonly endsOnSignal?: boolean;
  readonly run: (context: Context<OptionValues<Declared>>) => Promise<void>;
}

export function defineCommand<const Declared extends Options = Record<never, never>>(
  definition: Definition<Declared>,
): Command {
  const { run, ...declared } = definition;
  return {
    operands: [],
    options: {},
    commands: [],
    ...declared,
    run: (context) => run(context as unknown as Context<OptionValues<Declared>>),
  };
}

/** A command that has only commands of its own. */
export function defineGroup(
  group: Pick<Command, 'name' | 'summary' | 'commands'> & { readonly description?: string },
): Command {
  return {
    operands: [],
    options: {},
    examples: group.commands.flatMap(({ examples }) => examples.slice(0, 1)),
    ...group,
  };
}
