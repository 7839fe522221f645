import type { ClipWriter } from './clip-writer.ts';
import { createPitchGate, frameSamples, preRollSeconds } from './voice-gate.ts';
import { bytesOfSeconds, durationOfBytes } from './wav.ts';

const frameBytes = 2 * frameSamples;
const preRollBytes = bytesOfSeconds(preRollSeconds);

/** Passes on the sound while somebody speaks, and a moment before it. A pause ends the recording. */
export function createVoiceFilter(writer: ClipWriter): ClipWriter {
  const gate = createPitchGate();
  let wasOpen = false;
  /** Sound of less than a frame. */
  let rest = Buffer.alloc(0);
  /** The newest sound that was not passed on. */
  let held = Buffer.alloc(0);
  return {
    async add(sound, startMs) {
      const all = Buffer.concat([rest, sound]);
      let endMs = startMs - durationOfBytes(rest.length);
      let at = 0;
      let passed = 0;
      const pass = async () => {
        const next = Buffer.concat([held, all.subarray(passed, at)]);
        if (next.length > 0) await writer.add(next, endMs - durationOfBytes(next.length));
        held = Buffer.alloc(0);
        passed = at;
      };
      const hold = () => {
        held = Buffer.concat([held, all.subarray(passed, at)]).subarray(-preRollBytes);
        passed = at;
      };
      for (; at + frameBytes <= all.length;) {
        const isOpen = gate.push(readFrame(all, at));
        // The frame that changes the gate belongs to what follows.
        if (isOpen !== wasOpen) {
          if (wasOpen) {
            await pass();
            await writer.close();
          } else hold();
        }
        wasOpen = isOpen;
        at += frameBytes;
        endMs += durationOfBytes(frameBytes);
      }
      if (wasOpen) await pass();
      else hold();
      rest = Buffer.from(all.subarray(at));
    },
    close: () => writer.close(),
  };
}

function readFrame(sound: Buffer, at: number): Int16Array {
  const frame = new Int16Array(frameSamples);
  for (let index = 0; index < frameSamples; index++) frame[index] = sound.readInt16LE(at + 2 * index);
  return frame;
}
