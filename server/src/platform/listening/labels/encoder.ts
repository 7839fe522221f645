import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { onOneCore } from '../embedded/session.ts';
import { replaceOutputs } from '../whisper/graph-outputs.ts';
import { encodedLayers } from './feature-shape.ts';

/** For each used layer, its vectors one after the other. */
export type EncodeSound = (samples: Float32Array) => Promise<readonly Float32Array[]>;

/** The lower part of Moonshine's encoder. */
export async function loadSoundEncoder(moonshineFolder: string): Promise<EncodeSound> {
  const model = await readFile(join(moonshineFolder, 'encoder_model.onnx'));
  const session = await InferenceSession.create(replaceOutputs(model, encodedLayers), onOneCore);
  return async (samples) => {
    const given = await session.run({ input_values: new Tensor('float32', samples, [1, samples.length]) });
    return encodedLayers.map((name) => given[name]!.data as Float32Array);
  };
}
