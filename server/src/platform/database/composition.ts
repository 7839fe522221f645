import { Identifier, InsertedRows, Statement } from './statement.ts';
import type { SentValue } from './values.ts';
import { sendValue, typeOfValue } from './values.ts';

/*
 * Puts the parts of a statement together and collects its values. The statements of the queue have a dozen parts and two
 * thousand characters, so the text is cached: a template literal in the code is the same object each time it is
 * evaluated, so the sequence of templates of a statement determines its text. Values are never part of a text.
 */

/** A statement as PostgreSQL prepares it: the same object for the same text and types. */
export interface Composed {
  readonly text: string;
  readonly types: readonly number[];
}

/** A bind message counts its values in 16 bits. */
const mostValues = 65_535;

/** A node in the tree of known statements: the parts and types of values up to here. */
class Step {
  readonly #next = new Map<unknown, Step>();
  composed: Composed | undefined;

  next(token: unknown): Step {
    let step = this.#next.get(token);
    if (!step) this.#next.set(token, (step = new Step()));
    return step;
  }
}

const isListOfParts = (arg: unknown): arg is readonly Statement[] => Array.isArray(arg) && arg[0] instanceof Statement;

/** Collects the values. Undefined if the text of a part does not depend on its template alone. */
function follow(statement: Statement, from: Step, values: SentValue[]): Step | undefined {
  if (statement.isPlain) return undefined;
  let step: Step | undefined = from.next(statement.strings);
  for (const arg of statement.args) {
    if (arg instanceof Statement) step = follow(arg, step, values);
    else if (arg instanceof Identifier) step = step.next(arg.text);
    else if (arg instanceof InsertedRows || isListOfParts(arg)) return undefined;
    else {
      values.push(sendValue(arg));
      step = step.next(typeOfValue(arg));
    }
    if (!step) return undefined;
  }
  return step;
}

/** The text of a statement; collects its values and their types. */
function write(statement: Statement, values: SentValue[], types: number[]): string {
  if (statement.isPlain) return statement.strings[0] ?? '';
  const writeValue = (value: unknown): string => {
    values.push(sendValue(value));
    return `$${types.push(typeOfValue(value))}`;
  };
  let text = statement.strings[0] ?? '';
  for (const [index, arg] of statement.args.entries()) {
    if (arg instanceof Statement) text += write(arg, values, types);
    else if (arg instanceof Identifier) text += arg.text;
    else if (arg instanceof InsertedRows) text += writeRows(arg, writeValue);
    else if (isListOfParts(arg)) text += arg.map((one) => write(one, values, types)).join(' ');
    else text += writeValue(arg);
    text += statement.strings[index + 1] ?? '';
  }
  return text;
}

function writeRows({ rows }: InsertedRows, writeValue: (value: unknown) => string): string {
  const columns = Object.keys(rows[0] ?? {});
  const names = columns.map((column) => new Identifier(column).text).join(',');
  const lines = rows.map((row) => `(${columns.map((column) => writeValue(row[column])).join(',')})`);
  return `(${names})values${lines.join(',')}`;
}

export interface Composition {
  readonly composed: Composed;
  readonly values: SentValue[];
}

export function createCompose(): (statement: Statement) => Composition {
  const start = new Step();
  const byText = new Map<string, Composed>();

  function composeByText(statement: Statement): Composition {
    const values: SentValue[] = [];
    const types: number[] = [];
    const text = write(statement, values, types);
    // A plain text has its values apart from it.
    for (const value of statement.isPlain ? statement.args : []) {
      values.push(sendValue(value));
      types.push(typeOfValue(value));
    }
    const key = types.join() + text;
    let composed = byText.get(key);
    if (!composed) byText.set(key, (composed = { text, types }));
    return { composed, values };
  }

  return (statement) => {
    let values: SentValue[] = [];
    const step = follow(statement, start, values);
    let composed = step?.composed;
    if (!composed) {
      ({ composed, values } = composeByText(statement));
      if (step) step.composed = composed;
    }
    if (values.length > mostValues)
      throw new Error(`a statement has ${values.length} values; ${mostValues} are allowed`);
    return { composed, values };
  };
}
