import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { addBranchOutput } from './branch-outputs.ts';
import type { DecodingStep } from './decoding.ts';
import { onOneCore } from './session.ts';

/** The shape of Moonshine base, and the attention head that follows the sound best. */
const shape = { layers: 8, heads: 8, headWidth: 52, timedLayer: 4, timedHead: 2 };
const firstToken = 1;
const attentionOutput = `/model/decoder/layers.${shape.timedLayer}/encoder_attn/Softmax_output_0`;

export const endToken = 2;
/** The time that one encoded vector, and so one value of the attention, stands for. */
export const frameSeconds = 0.024;

/** The attention is that of one head, for each frame of the sound. */
export type MoonshineStep = DecodingStep<Float32Array>;

export interface Moonshine {
  /** Encodes up to some tens of seconds of speech, and returns the first step of its text. */
  begin(samples: Float32Array, signal: AbortSignal): Promise<MoonshineStep>;
}

type Cache = Readonly<Record<string, Tensor>>;

const cacheOf = (kind: 'decoder' | 'encoder') =>
  Array.from({ length: shape.layers }, (_, layer) => [`${layer}.${kind}.key`, `${layer}.${kind}.value`]).flat();

export async function loadMoonshine(folder: string): Promise<Moonshine> {
  const encoder = await InferenceSession.create(join(folder, 'encoder_model.onnx'), onOneCore);
  const model = addBranchOutput(await readFile(join(folder, 'decoder_model_merged.onnx')), attentionOutput);
  const decoder = await InferenceSession.create(model, onOneCore);
  const present = (parts: readonly string[]) => parts.map((part) => `present.${part}`);
  const always = ['logits', attentionOutput, ...present(cacheOf('decoder'))];
  // The encoder's part of the cache is computed only in the first step.
  const first = [...always, ...present(cacheOf('encoder'))];

  const decode = async (
    encoder_hidden_states: Tensor,
    cache: Cache | undefined,
    token: number,
    signal: AbortSignal,
  ): Promise<MoonshineStep> => {
    signal.throwIfAborted();
    const given = {
      ...(cache ?? emptyCache()),
      encoder_hidden_states,
      input_ids: new Tensor('int64', BigInt64Array.of(BigInt(token)), [1, 1]),
      use_cache_branch: new Tensor('bool', [cache !== undefined], [1]),
    };
    const answer = await decoder.run(given, cache ? always : first);
    const kept: Record<string, Tensor> = { ...cache };
    for (const [name, value] of Object.entries(answer)) {
      if (name.startsWith('present.')) kept[name.replace('present', 'past_key_values')] = value;
    }
    return {
      scores: answer['logits']!.data as Float32Array,
      attention: pickHead(answer[attentionOutput] as Tensor),
      next: (following) => decode(encoder_hidden_states, kept, following, signal),
    };
  };

  return {
    async begin(samples, signal) {
      const input_values = new Tensor('float32', samples, [1, samples.length]);
      const { last_hidden_state } = await encoder.run({ input_values });
      return decode(last_hidden_state as Tensor, undefined, firstToken, signal);
    },
  };
}

function pickHead({ data, dims }: Tensor): Float32Array {
  const width = dims.at(-1)!;
  return (data as Float32Array).slice(shape.timedHead * width, (shape.timedHead + 1) * width);
}

function emptyCache(): Cache {
  const empty = () => new Tensor('float32', new Float32Array(0), [0, shape.heads, 1, shape.headWidth]);
  return Object.fromEntries(
    [...cacheOf('decoder'), ...cacheOf('encoder')].map((part) => [`past_key_values.${part}`, empty()]),
  );
}
