import type { Voice } from '@earshot/server/platform/speech/speak';
import { openSpeaker } from '@earshot/server/platform/speech/speak';
import { passThroughRadio } from './radio-channel.ts';
import type { DemoVoice } from './stories.ts';
import { changePitch, readSpokenWav, writeSpokenWav } from './wav.ts';

export interface DemoSpeech {
  /** Speaks a sentence; with `noiseDb`, through a radio channel. The result is a WAV of 16 kHz. */
  speak(voice: DemoVoice, text: string, noiseDb?: number): Promise<Buffer<ArrayBuffer>>;
}

/** Uses the synthesiser of the server's build, one sentence at a time: it needs a core for itself. */
export function createSpeech(random: () => number): DemoSpeech {
  let before: Promise<unknown> = Promise.resolve();
  const synthesise = async (voice: Voice, text: string): Promise<Buffer> => {
    const speaker = openSpeaker();
    try {
      return await speaker.speak(voice, text);
    } finally {
      await speaker.close();
    }
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
