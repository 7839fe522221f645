import { asField, asNumberField, findContent, findNumbers, rewrite } from './protocol-buffers.ts';

/*
 * Turns a weight of a model into an input. Whisper's encoder adds a table of positions to the sound: 1,500 rows for
 * 30 seconds, and refuses sound of another length. If each run passes the rows that it needs, one session encodes sound
 * of any length, and short sound costs less.
 *
 * In an ONNX file, field 7 is the graph. In the graph, fields 5 are the weights, fields 11 the inputs, and fields 13 the
 * shapes of inner values, which are removed, because they are only true for the whole table.
 */

const graphField = 7;
const weightField = 5;
const inputField = 11;
const innerShapeField = 13;

const weight = { dims: 1, kind: 2, name: 8, bytes: 9 };
const float = 1;

export interface OpenedModel {
  readonly model: Buffer;
  /** The weight that is an input now. */
  readonly values: Float32Array;
  /** The length of its rows. */
  readonly width: number;
}

/** For a table of 32-bit numbers. */
export function makeWeightAnInput(model: Buffer, name: string): OpenedModel {
  let table: { values: Float32Array; width: number } | undefined;
  const changed = rewrite(model, (field, content) => {
    if (field !== graphField) return content;
    const graph = rewrite(content, (inGraph, value) => {
      if (inGraph === innerShapeField) return undefined;
      if (inGraph !== weightField || findContent(value, weight.name)?.toString('utf8') !== name) return value;
      table = readTable(value, name);
      return undefined;
    });
    return table ? Buffer.concat([graph, asField(inputField, describeInput(name, table.width))]) : graph;
  });
  if (!table) throw new Error(`the model has no weight ${name}`);
  return { model: changed, ...table };
}

function readTable(tensor: Buffer, name: string): { values: Float32Array; width: number } {
  const [rows = 0, width = 0, ...more] = findNumbers(tensor, weight.dims);
  const bytes = findContent(tensor, weight.bytes);
  const isTable = findNumbers(tensor, weight.kind)[0] === float && more.length === 0;
  if (!isTable || bytes?.length !== rows * width * 4) throw new Error(`the weight ${name} is not a table of numbers`);
  // Copied, so that the whole file is not kept in memory, and so that the numbers are aligned.
  return { values: new Float32Array(new Uint8Array(bytes).buffer), width };
}

/** An input with any number of rows. */
function describeInput(name: string, width: number): Buffer {
  const rows = asField(1, asField(2, Buffer.from(`${name}.rows`)));
  const columns = asField(1, asNumberField(1, width));
  const tensor = Buffer.concat([asNumberField(1, float), asField(2, Buffer.concat([rows, columns]))]);
  return Buffer.concat([asField(1, Buffer.from(name)), asField(2, asField(1, tensor))]);
}
