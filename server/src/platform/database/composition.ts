/*
 * Caches the text of a statement that is written in parts. Without the cache the driver joins the parts each time the
 * statement runs, and finds its prepared statement by hashing the whole text. The statements of the queue have a dozen
 * parts and two thousand characters.
 *
 * A template literal in the code is the same object each time it is evaluated, so the sequence of templates of a
 * statement determines its text. Values are never part of a text.
 */

interface Part {
  readonly tagged: boolean;
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
}

type Stringify = (part: Part, start: string, first: unknown, values: unknown[], types: unknown[], o: unknown) => string;

/** The exports of the driver's modules that are used here. */
export interface DriverParts {
  readonly Query: new (...args: never) => Part;
  readonly Identifier: new (...args: never) => { readonly value: string };
  readonly Builder: new (...args: never) => object;
  readonly stringify: Stringify;
  readonly handleValue: (value: unknown, values: unknown[], types: unknown[], options: unknown) => string;
}

interface Composed {
  readonly text: string;
  /** The text with the types of its values; the driver finds its prepared statement by it. */
  readonly signature: string;
}

/** A node in the tree of known statements: the parts up to here. */
class Step {
  readonly #next = new Map<unknown, Step>();
  readonly #composed = new Map<string, Composed>();

  next(token: unknown): Step {
    let step = this.#next.get(token);
    if (!step) this.#next.set(token, (step = new Step()));
    return step;
  }

  composed(types: string, compose: () => string): Composed {
    let composed = this.#composed.get(types);
    if (!composed) {
      const text = compose();
      this.#composed.set(types, (composed = { text, signature: types + text }));
    }
    return composed;
  }
}

const aValue = Symbol('a value');

export type Compose = (statement: Part, values: unknown[], types: unknown[], options: unknown) => Composed;

export function createCompose({ Query, Identifier, Builder, stringify, handleValue }: DriverParts): Compose {
  const start = new Step();

  /** Collects the values. Undefined if the text of a part does not depend on its template alone. */
  function follow(part: Part, from: Step, values: unknown[], types: unknown[], options: unknown): Step | undefined {
    if (!part.tagged) return undefined;
    let step: Step | undefined = from.next(part.strings);
    for (const arg of part.args) {
      if (arg instanceof Query) step = follow(arg, step, values, types, options);
      else if (arg instanceof Identifier) step = step.next(arg.value);
      else if (arg instanceof Builder || (Array.isArray(arg) && arg[0] instanceof Query)) return undefined;
      else {
        handleValue(arg, values, types, options);
        step = step.next(aValue);
      }
      if (!step) return undefined;
    }
    return step;
  }

  const write = (statement: Part, values: unknown[], types: unknown[], options: unknown) =>
    stringify(statement, statement.strings[0] ?? '', statement.args[0], values, types, options);

  return (statement, values, types, options) => {
    const step = follow(statement, start, values, types, options);
    if (step) return step.composed(types.join(), () => write(statement, [], [], options));
    values.length = types.length = 0;
    const text = write(statement, values, types, options);
    return { text, signature: types.join() + text };
  };
}
