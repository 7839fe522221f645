import type { Client } from '@earshot/client/client';

/** Synthetic speech for pages that play audio: each word is a burst of its length. */

const rate = 8_000;

export interface SpokenWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

/** Word times at about speaking speed, with a pause after each sentence. */
export function timeWords(transcript: string, firstMs = 400): readonly SpokenWord[] {
  let at = firstMs;
  return transcript.split(/\s+/u).map((text) => {
    const startMs = at;
    const endMs = startMs + 140 + Math.min(text.length, 14) * 35;
    at = endMs + (/[.?!]$/.test(text) ? 900 : 60);
    return { text, startMs, endMs };
  });
}

/** A WAV of this length in which each word has its own pitch. */
export function makeSound(words: readonly SpokenWord[], seconds: number): Uint8Array<ArrayBuffer> {
  const samples = Math.round(seconds * rate);
  const bytes = new Uint8Array(44 + samples * 2);
  const view = new DataView(bytes.buffer);
  const text = (at: number, letters: string) => bytes.set(new TextEncoder().encode(letters), at);
  text(0, 'RIFF');
  view.setUint32(4, 36 + samples * 2, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, rate * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, samples * 2, true);
  let noise = 1;
  for (let at = 0; at < samples; at++) {
    noise = (noise * 16_807) % 2_147_483_647;
    view.setInt16(44 + at * 2, (noise / 2_147_483_647 - 0.5) * 600, true);
  }
  for (const [place, { startMs, endMs }] of words.entries()) {
    const [first, last] = [Math.round((startMs * rate) / 1_000), Math.round((endMs * rate) / 1_000)];
    const pitch = 120 + ((place * 37) % 90);
    const loud = 7_000 + ((place * 4_877) % 13_000);
    for (let at = first; at < last && at < samples; at++) {
      const part = (at - first) / (last - first);
      const wave = Math.sin((at * pitch * 2 * Math.PI) / rate) + 0.5 * Math.sin((at * pitch * 5 * Math.PI) / rate);
      view.setInt16(44 + at * 2, (wave / 1.5) * loud * Math.sin(Math.PI * part) ** 0.6, true);
    }
  }
  return bytes;
}

export interface Spoken {
  readonly clipID: number;
  readonly words: readonly SpokenWord[];
}

/** Creates a clip with audio and this transcript. */
export async function speak(
  client: Client,
  deviceSerial: string,
  startTime: number,
  transcript: string,
  seconds = 0,
): Promise<Spoken> {
  const words = transcript === '' ? [] : timeWords(transcript);
  const length = Math.max(seconds, Math.ceil(((words.at(-1)?.endMs ?? 0) + 600) / 1_000));
  const body = { startTime, clipLengthInSeconds: length };
  const { key: clipID = 0 } = await client.announceAudioClip({ params: { audioClipID: deviceSerial }, body });
  await client.putAudioClipContent({ params: { audioClipID: clipID }, body: makeSound(words, length) });
  await client.correctCaption({ params: { captionID: clipID }, body: { words: [...words] } });
  return { clipID, words };
}
