import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { sampleRate } from '../engine.ts';
import type { Token } from './decoding.ts';
import { chooseLikeliest, isLooping } from './decoding.ts';
import { onOneCore } from './session.ts';

const layers = 6;
const heads = 8;
const headWidth = 36;
const firstToken = 1;
const endToken = 2;
/** Faster than any speaker; a text with more tokens was not understood. */
const mostTokensPerSecond = 6.5;

export interface Moonshine {
  /** The encoded sound: one vector for each 24 ms. */
  encode(samples: Float32Array): Promise<Tensor>;
  /** Transcribes up to some tens of seconds of speech; undefined if the model got into a loop. */
  recognise(samples: Float32Array, signal: AbortSignal): Promise<readonly Token[] | undefined>;
}

export async function loadMoonshine(folder: string): Promise<Moonshine> {
  const encoder = await InferenceSession.create(join(folder, 'encoder_model.onnx'), onOneCore);
  const decoder = await InferenceSession.create(join(folder, 'decoder_model_merged.onnx'), onOneCore);

  const encode = async (samples: Float32Array) => {
    const { last_hidden_state } = await encoder.run({
      input_values: new Tensor('float32', samples, [1, samples.length]),
    });
    return last_hidden_state!;
  };

  return {
    encode,
    async recognise(samples, signal) {
      const memory: Record<string, Tensor> = emptyMemory();
      const encoder_hidden_states = await encode(samples);
      const tokens: Token[] = [];
      const most = Math.ceil((samples.length / sampleRate) * mostTokensPerSecond) + 2;
      for (let last = firstToken; tokens.length < most;) {
        signal.throwIfAborted();
        const answer = await decoder.run({
          ...memory,
          encoder_hidden_states,
          input_ids: new Tensor('int64', BigInt64Array.of(BigInt(last)), [1, 1]),
          use_cache_branch: new Tensor('bool', [tokens.length > 0], [1]),
        });
        const token = chooseLikeliest(answer['logits']!.data as Float32Array);
        if (token.id === endToken) return tokens;
        for (const name of Object.keys(memory)) {
          // The encoder part of the cache is computed only in the first step.
          if (tokens.length > 0 && name.includes('encoder')) continue;
          memory[name] = answer[name.replace('past_key_values', 'present')]!;
        }
        tokens.push(token);
        if (isLooping(tokens)) return undefined;
        last = token.id;
      }
      return undefined;
    },
  };
}

function emptyMemory(): Record<string, Tensor> {
  const empty = () => new Tensor('float32', new Float32Array(0), [0, heads, 1, headWidth]);
  const entries = Array.from({ length: layers }, (_, layer) =>
    ['decoder.key', 'decoder.value', 'encoder.key', 'encoder.value'].map(
      (part) => [`past_key_values.${layer}.${part}`, empty()] as const,
    ),
  );
  return Object.fromEntries(entries.flat());
}
