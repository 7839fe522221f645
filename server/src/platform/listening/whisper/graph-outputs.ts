import { asField, findContent, rewrite } from './protocol-buffers.ts';

/*
 * Changes the outputs of a model. Whisper's encoder also outputs its attention, 430 MB for each stretch of sound, which
 * the runtime computes even if it is not fetched. And an inner layer of Moonshine's encoder contains more about sounds
 * than the last one, which is specialised in words.
 *
 * In an ONNX file, field 7 is the graph, whose fields 12 are the outputs, whose field 1 is the name. Only those are
 * changed; everything else is copied.
 */

const graphField = 7;
const outputField = 12;
const nameField = 1;

export function keepOutputs(model: Buffer, isKept: (name: string) => boolean): Buffer {
  return rewrite(model, (field, content) => {
    if (field !== graphField) return content;
    return rewrite(content, (inGraph, value) => {
      if (inGraph !== outputField) return value;
      return isKept(readName(value)) ? value : undefined;
    });
  });
}

/** Replaces the outputs of a model by inner values. Outputs that are not needed are removed. */
export function replaceOutputs(model: Buffer, names: readonly string[]): Buffer {
  const outputs = names.map((name) => asField(outputField, asField(nameField, Buffer.from(name))));
  return rewrite(model, (field, content) => {
    if (field !== graphField) return content;
    const bare = rewrite(content, (inGraph, value) => (inGraph === outputField ? undefined : value));
    return Buffer.concat([bare, ...outputs]);
  });
}

const readName = (message: Buffer): string => findContent(message, nameField)?.toString('utf8') ?? '';
