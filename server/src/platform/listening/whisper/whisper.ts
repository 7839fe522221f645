import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { onOneCore } from '../embedded/session.ts';
import type { AlignmentHead } from './control-tokens.ts';
import { makeWeightAnInput } from './graph-inputs.ts';
import { keepOutputs, replaceOutputs } from './graph-outputs.ts';
import { bands, computeLogMel } from './log-mel.ts';

/** What distinguishes the graphs of the Whisper models. */
export interface WhisperShape {
  readonly layers: number;
  readonly heads: number;
}

export const tinyShape: WhisperShape = { layers: 4, heads: 6 };
export const smallShape: WhisperShape = { layers: 12, heads: 12 };
const headWidth = 64;

const framesPerPosition = 2;
const positionTable = 'embed_positions.weight';

/**
 * The encoder needs memory with the square of the length of the sound, and the runtime would keep all of it for later:
 * 1.5 GB after five stretches. The decoder needs little, but twice the time if nothing is kept.
 */
const encoderOptions: InferenceSession.SessionOptions = { ...onOneCore, enableCpuMemArena: false };

/** The answer of the decoder to some tokens. */
export interface Step {
  /** For each of the tokens: the scores of all tokens to come after it. */
  readonly scores: readonly Float32Array[];
  /** For each alignment head: the attention of the last token to each position. */
  readonly attention: readonly Float32Array[];
  /** The answer to one more token. May be called again with another token. */
  next(token: number): Promise<Step>;
}

export interface Whisper {
  /** Encodes as many positions of 20 ms as given. The sound may end before them; they are silent then. */
  encode(samples: Float32Array, positions: number): Promise<Tensor>;
  /** Starts a text about the encoded sound, with some tokens. */
  begin(encoded: Tensor, prompt: readonly number[], signal: AbortSignal): Promise<Step>;
  /** Frees its memory; it cannot be used any more. */
  release(): Promise<void>;
}

export interface WhisperFiles {
  readonly folder: string;
  readonly shape: WhisperShape;
  /** The heads whose attention is needed. */
  readonly alignmentHeads: readonly AlignmentHead[];
}

/** What the decoder keeps of the tokens before. */
type Memory = Readonly<Record<string, Tensor>>;

export async function loadWhisper({ folder, shape, alignmentHeads }: WhisperFiles): Promise<Whisper> {
  const encoder = await loadEncoder(join(folder, 'encoder_model.onnx'));
  const parts = (kind: string) =>
    Array.from({ length: shape.layers }, (_, layer) => [`${layer}.${kind}.key`, `${layer}.${kind}.value`]).flat();
  const attended = [...new Set(alignmentHeads.map(([layer]) => `cross_attentions.${layer}`))];
  const followUp = ['logits', ...attended, ...parts('decoder').map((part) => `present.${part}`)];
  const first = [...followUp, ...parts('encoder').map((part) => `present.${part}`)];
  const file = await readFile(join(folder, 'decoder_model_merged.onnx'));
  const decoder = await InferenceSession.create(
    keepOutputs(file, (output) => first.includes(output)),
    onOneCore,
  );

  const emptyMemory = () =>
    Object.fromEntries(
      [...parts('decoder'), ...parts('encoder')].map((part) => [
        `past_key_values.${part}`,
        new Tensor('float32', new Float32Array(0), [1, shape.heads, 0, headWidth]),
      ]),
    );

  const decode = async (
    encoder_hidden_states: Tensor,
    memory: Memory | undefined,
    ids: readonly number[],
    signal: AbortSignal,
  ): Promise<Step> => {
    signal.throwIfAborted();
    const given = {
      ...(memory ?? emptyMemory()),
      encoder_hidden_states,
      input_ids: new Tensor('int64', BigInt64Array.from(ids, BigInt), [1, ids.length]),
      use_cache_branch: new Tensor('bool', [memory !== undefined], [1]),
    };
    const answer = await decoder.run(given, memory ? followUp : first);
    const kept: Record<string, Tensor> = { ...memory };
    for (const [name, value] of Object.entries(answer)) {
      if (name.startsWith('present.')) kept[name.replace('present', 'past_key_values')] = value;
    }
    return {
      scores: rowsOf(answer['logits']!),
      attention: pickAttention(answer, alignmentHeads),
      next: (token) => decode(encoder_hidden_states, kept, [token], signal),
    };
  };

  return {
    encode: encoder.encode,
    begin: (encoded, prompt, signal) => decode(encoded, undefined, prompt, signal),
    release: async () => void (await Promise.all([encoder.release(), decoder.release()])),
  };
}

async function loadEncoder(path: string): Promise<Pick<Whisper, 'encode' | 'release'>> {
  const file = replaceOutputs(await readFile(path), ['last_hidden_state']);
  const { model, values, width } = makeWeightAnInput(file, positionTable);
  const session = await InferenceSession.create(model, encoderOptions);
  const encode: Whisper['encode'] = async (samples, positions) => {
    const frames = positions * framesPerPosition;
    const { last_hidden_state } = await session.run(
      {
        input_features: new Tensor('float32', computeLogMel(samples, frames), [1, bands, frames]),
        [positionTable]: new Tensor('float32', values.subarray(0, positions * width), [positions, width]),
      },
      ['last_hidden_state'],
    );
    return last_hidden_state!;
  };
  return { encode, release: () => session.release() };
}

/** The rows of the last dimension. */
function rowsOf({ data, dims }: Tensor): Float32Array[] {
  const [rows, width] = dims.slice(-2) as [number, number];
  return Array.from({ length: rows }, (_, row) => (data as Float32Array).subarray(row * width, (row + 1) * width));
}

function pickAttention(
  answer: InferenceSession.OnnxValueMapType,
  alignmentHeads: readonly AlignmentHead[],
): Float32Array[] {
  return alignmentHeads.map(([layer, head]) => {
    const { data, dims } = answer[`cross_attentions.${layer}`] as Tensor;
    const [tokens, width] = dims.slice(-2) as [number, number];
    const row = head * tokens + tokens - 1;
    return (data as Float32Array).slice(row * width, (row + 1) * width);
  });
}
