import { expect, test } from 'vitest';
import { createVoiceFilter } from './voice-filter.ts';
import { bytesOfSeconds, captureRate, durationOfBytes } from './wav.ts';

/** Vowels with a moving pitch in syllables, which is what the gate looks for; noise of a room around them. */
function makeTalk(seconds: number, isSpeaking: (second: number) => boolean): Buffer {
  const talk = Buffer.alloc(bytesOfSeconds(seconds));
  let phase = 0;
  let random = 1;
  for (let at = 0; at < talk.length / 2; at++) {
    const second = at / captureRate;
    random = (random * 48_271) % 2_147_483_647;
    const hiss = 60 * (random / 2_147_483_647 - 0.5);
    const pitch = 130 + 25 * Math.sin(5 * second) + 10 * Math.sin(17 * second);
    phase += (2 * Math.PI * pitch) / captureRate;
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 3.3 * second));
    const voice = [1, 2, 3, 4, 5, 6, 8, 10].reduce((sum, each) => sum + Math.sin(each * phase) / each, 0);
    talk.writeInt16LE(Math.round(hiss + (isSpeaking(second) ? 4_000 * syllable * voice : 0)), 2 * at);
  }
  return talk;
}

const sound = makeTalk(21, (second) => (second > 5 && second < 8) || (second > 15 && second < 17));

/** What is recorded of sound that arrives in chunks, as times from its start. */
async function record(given: Buffer, chunkBytes: number) {
  const recordings: { fromMs: number; sound: Buffer }[] = [];
  let isOpen = false;
  const filter = createVoiceFilter({
    add: async (added, fromMs) => {
      const last = recordings.at(-1);
      if (isOpen && last) last.sound = Buffer.concat([last.sound, added]);
      else recordings.push({ fromMs, sound: added });
      isOpen = true;
    },
    close: async () => {
      isOpen = false;
    },
  });
  for (let at = 0; at < given.length; at += chunkBytes)
    await filter.add(given.subarray(at, at + chunkBytes), durationOfBytes(at));
  await filter.close();
  return recordings;
}

test.each([4_098, 70_002])('only speech is recorded, with the moment before it, in chunks of %i', async (chunk) => {
  const recordings = await record(sound, chunk);
  expect(recordings).toHaveLength(2);
  for (const [at, [from, to]] of [
    [5, 8],
    [15, 17],
  ].entries()) {
    const { fromMs, sound: recorded } = recordings[at]!;
    const endMs = fromMs + durationOfBytes(recorded.length);
    expect(fromMs).toBeLessThan(from! * 1_000 - 200);
    expect(fromMs).toBeGreaterThan(from! * 1_000 - 1_200);
    expect(endMs).toBeGreaterThan(to! * 1_000);
    expect(endMs).toBeLessThan(to! * 1_000 + 3_000);
    // The samples are those of that time.
    const place = bytesOfSeconds(fromMs / 1_000);
    expect(recorded.equals(sound.subarray(place, place + recorded.length))).toBe(true);
  }
});

test('noise, hum and tones are not recorded', async () => {
  const sounds = [
    (at: number) => 8_000 * Math.sin((2 * Math.PI * 1_000 * at) / captureRate),
    (at: number) => 8_000 * Math.sin((2 * Math.PI * 100 * at) / captureRate),
    (at: number) => 12_000 * (((at * 48_271) % 65_537) / 65_537 - 0.5) * (at % 32_000 < 8_000 ? 1 : 0.05),
  ];
  for (const make of sounds) {
    const other = Buffer.alloc(bytesOfSeconds(12));
    for (let at = 0; at < other.length / 2; at++) other.writeInt16LE(Math.round(make(at)), 2 * at);
    expect(await record(other, 3_200)).toEqual([]);
  }
});
