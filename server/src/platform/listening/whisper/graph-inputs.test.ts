import { InferenceSession, Tensor } from 'onnxruntime-node';
import { expect, test } from 'vitest';
import { makeWeightAnInput } from './graph-inputs.ts';
import { replaceOutputs } from './graph-outputs.ts';
import { asField, asNumberField } from './protocol-buffers.ts';

const text = (field: number, value: string) => asField(field, Buffer.from(value));
const message = (field: number, ...parts: Buffer[]) => asField(field, Buffer.concat(parts));

/** A value with its name and shape: `n` rows of two numbers. */
const value = (field: number, name: string, rows: Buffer) => {
  const shape = message(2, message(1, rows), message(1, asNumberField(1, 2)));
  return message(field, text(1, name), message(2, message(1, asNumberField(1, 1), shape)));
};

/** Adds a table of three rows to its input, as Whisper's encoder does with its positions, and doubles the sum. */
function makeModel({ kind = 1, dims = [3, 2] } = {}): Buffer {
  const three = asNumberField(1, 3);
  const table = message(
    5,
    ...dims.map((size) => asNumberField(1, size)),
    asNumberField(2, kind),
    text(8, 'table'),
    asField(9, Buffer.from(Float32Array.of(1, 2, 3, 4, 5, 6).buffer)),
  );
  const graph = [
    message(1, text(1, 'sound'), text(1, 'table'), text(2, 'sum'), text(4, 'Add')),
    message(1, text(1, 'sum'), text(1, 'sum'), text(2, 'result'), text(4, 'Add')),
    text(2, 'graph'),
    table,
    value(11, 'sound', text(2, 'any')),
    value(12, 'result', three),
    value(13, 'sum', three),
  ];
  return Buffer.concat([asNumberField(1, 8), message(7, ...graph), message(8, asNumberField(2, 13))]);
}

test('a model with a table accepts only as many rows as the table has', async () => {
  const session = await InferenceSession.create(makeModel(), { logSeverityLevel: 4 });
  const sound = new Tensor('float32', Float32Array.of(0, 0, 10, 10), [2, 2]);
  await expect(session.run({ sound })).rejects.toThrow();
});

test('if the table is an input, the same session accepts any number of rows', async () => {
  const { model, values, width } = makeWeightAnInput(replaceOutputs(makeModel(), ['result']), 'table');
  expect([...values]).toEqual([1, 2, 3, 4, 5, 6]);
  expect(width).toBe(2);
  const session = await InferenceSession.create(model, { logSeverityLevel: 4 });
  const run = async (rows: number) => {
    const sound = new Tensor('float32', new Float32Array(rows * width).fill(10), [rows, width]);
    const table = new Tensor('float32', values.subarray(0, rows * width), [rows, width]);
    return [...((await session.run({ sound, table }))['result']!.data as Float32Array)];
  };
  expect(await run(3)).toEqual([22, 24, 26, 28, 30, 32]);
  expect(await run(1)).toEqual([22, 24]);
  expect(await run(2)).toEqual([22, 24, 26, 28]);
});

test('a model without this table, or with other data in it, is refused', () => {
  expect(() => makeWeightAnInput(makeModel(), 'positions')).toThrow('the model has no weight positions');
  const problem = 'the weight table is not a table of numbers';
  expect(() => makeWeightAnInput(makeModel({ kind: 2 }), 'table')).toThrow(problem);
  expect(() => makeWeightAnInput(makeModel({ dims: [3, 1, 2] }), 'table')).toThrow(problem);
  expect(() => makeWeightAnInput(makeModel({ dims: [4, 2] }), 'table')).toThrow(problem);
  expect(() => makeWeightAnInput(Buffer.from('not a model'), 'table')).toThrow('not an ONNX file');
});
