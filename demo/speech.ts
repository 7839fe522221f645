import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { passThroughRadio } from './radio-channel.ts';
import type { DemoVoice } from './stories.ts';
import { changePitch, readSpokenWav, writeSpokenWav } from './wav.ts';

const run = promisify(execFile);
const largestSound = 20_000_000;

export interface DemoSpeech {
  /** Speaks a sentence; with `noiseDb`, through a radio channel. The result is a WAV of 16 kHz. */
  speak(voice: DemoVoice, text: string, noiseDb?: number): Promise<Buffer<ArrayBuffer>>;
}

/** Uses the synthesiser of the server's build, one sentence at a time: it needs a core for itself. */
export function createSpeech(checkout: string, random: () => number): DemoSpeech {
  const program = join(checkout, 'server/dist/speaker.js');
  let before: Promise<unknown> = Promise.resolve();
  const synthesise = async (voice: string, text: string): Promise<Buffer> => {
    const options = { encoding: 'buffer', maxBuffer: largestSound } as const;
    const { stdout } = await run(process.execPath, ['--no-warnings', program, voice, text], options);
    return stdout;
  };
  return {
    async speak({ voice, pitch }, text, noiseDb) {
      const spoken = before.then(() => synthesise(voice, text));
      before = spoken.catch(() => {});
      const plain = changePitch(readSpokenWav(await spoken), pitch);
      return writeSpokenWav(noiseDb === undefined ? plain : passThroughRadio(plain, noiseDb, random));
    },
  };
}
