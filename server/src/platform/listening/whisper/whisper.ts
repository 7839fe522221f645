import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { Token } from '../embedded/decoding.ts';
import { chooseLikeliest, isLooping } from '../embedded/decoding.ts';
import { onOneCore } from '../embedded/session.ts';
import { keepOutputs } from './graph-outputs.ts';
import { bands, computeLogMel, frames } from './log-mel.ts';
import type { Vocabulary } from './vocabulary.ts';

const layers = 6;
const heads = 8;
const headWidth = 64;
const mostTokens = 224;

export interface WhisperTranscript {
  readonly language: string;
  readonly tokens: readonly Token[];
  /** For each token, including the end, and each alignment head: the attention in steps of 20 ms. */
  readonly attention: readonly (readonly Float32Array[])[];
  readonly isLoop: boolean;
}

export interface Whisper {
  transcribe(samples: Float32Array, signal: AbortSignal): Promise<WhisperTranscript>;
}

export async function loadWhisper(folder: string, vocabulary: Vocabulary): Promise<Whisper> {
  const attended = [...new Set(vocabulary.alignmentHeads.map(([layer]) => `cross_attentions.${layer}`))];
  const parts = (kind: string) =>
    Array.from({ length: layers }, (_, layer) => [`${layer}.${kind}.key`, `${layer}.${kind}.value`]).flat();
  const followUp = ['logits', ...attended, ...parts('decoder').map((part) => `present.${part}`)];
  const first = [...followUp, ...parts('encoder').map((part) => `present.${part}`)];
  const load = async (name: string, isKept: (output: string) => boolean) =>
    InferenceSession.create(keepOutputs(await readFile(join(folder, name)), isKept), onOneCore);
  const encoder = await load('encoder_model.onnx', (output) => output === 'last_hidden_state');
  const decoder = await load('decoder_model_merged.onnx', (output) => first.includes(output));

  /** Decodes one token after the other with a cache of the previous ones. */
  const createSteps = (encoder_hidden_states: Tensor, signal: AbortSignal) => {
    const memory: Record<string, Tensor> = Object.fromEntries(
      [...parts('decoder'), ...parts('encoder')].map((part) => [
        `past_key_values.${part}`,
        new Tensor('float32', new Float32Array(0), [1, heads, 0, headWidth]),
      ]),
    );
    let isFirst = true;
    return async (id: number) => {
      signal.throwIfAborted();
      const answer = await decoder.run(
        {
          ...memory,
          encoder_hidden_states,
          input_ids: new Tensor('int64', BigInt64Array.of(BigInt(id)), [1, 1]),
          use_cache_branch: new Tensor('bool', [!isFirst], [1]),
        },
        isFirst ? first : followUp,
      );
      isFirst = false;
      for (const [name, value] of Object.entries(answer)) {
        if (name.startsWith('present.')) memory[name.replace('present', 'past_key_values')] = value;
      }
      return answer;
    };
  };

  return {
    async transcribe(samples, signal) {
      const input_features = new Tensor('float32', computeLogMel(samples), [1, bands, frames]);
      const { last_hidden_state } = await encoder.run({ input_features }, ['last_hidden_state']);
      const step = createSteps(last_hidden_state!, signal);
      const heard = (await step(vocabulary.start))['logits']!.data as Float32Array;
      const mark = chooseAmong(heard, [...vocabulary.languages.keys()]);
      const language = vocabulary.languages.get(mark)!;
      await step(mark);
      await step(vocabulary.transcribe);
      let answer = await step(vocabulary.noTimes);
      const tokens: Token[] = [];
      const attention: Float32Array[][] = [];
      while (tokens.length < mostTokens) {
        // Tokens above the end token are control tokens.
        const scores = (answer['logits']!.data as Float32Array).subarray(0, vocabulary.end + 1);
        for (const id of vocabulary.never) scores[id] = -Infinity;
        if (tokens.length === 0) for (const id of vocabulary.neverFirst) scores[id] = -Infinity;
        const token = chooseLikeliest(scores);
        attention.push(pickAttention(answer, vocabulary));
        if (token.id === vocabulary.end) return { language, tokens, attention, isLoop: false };
        tokens.push(token);
        if (isLooping(tokens)) break;
        answer = await step(token.id);
      }
      return { language, tokens, attention, isLoop: true };
    },
  };
}

function chooseAmong(scores: Float32Array, ids: readonly number[]): number {
  return ids.reduce((best, id) => (scores[id]! > scores[best]! ? id : best));
}

function pickAttention(answer: InferenceSession.OnnxValueMapType, { alignmentHeads }: Vocabulary): Float32Array[] {
  return alignmentHeads.map(([layer, head]) => {
    const { data, dims } = answer[`cross_attentions.${layer}`] as Tensor;
    const width = dims[3]!;
    return (data as Float32Array).slice(head * width, (head + 1) * width);
  });
}
