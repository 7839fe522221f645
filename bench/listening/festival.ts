import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readWav } from '@earshot/server/testing/speech';

export interface TimedClip {
  readonly samples: Float32Array;
  readonly words: readonly { readonly text: string; readonly startMs: number; readonly endMs: number }[];
}

const sentences = [
  'Somebody left the north gate open last Tuesday, and the dog ran away into the forest.',
  'The train to the city leaves every morning at seven, but today it was late.',
  'Please bring two bottles of water and some bread when you come home.',
  'My brother bought a new car in the spring and sold it again in the summer.',
  'There was a strong wind during the night, and three trees fell on the road.',
  'We waited for an hour in front of the house until someone opened the door.',
  'The old man told us a story about a ship that was lost in the ice.',
  'If it rains tomorrow we will stay inside and play cards with the children.',
];

export const isVoiceInstalled = existsSync('/usr/bin/festival');

/** A synthetic voice that reports the time of each word to the millisecond. */
export function speakTimed(): TimedClip[] | undefined {
  if (!isVoiceInstalled) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'earshot-festival-'));
  try {
    return sentences.map((sentence, at) => {
      const wave = join(folder, `${at}.wav`);
      const program = `
        (set! spoken (SynthText "${sentence}"))
        (utt.save.wave spoken "${wave}" 'riff)
        (mapcar (lambda (word) (format t "%s %f %f\\n" (item.name word)
                  (item.feat word 'word_start) (item.feat word 'word_end)))
                (utt.relation.items spoken 'Word))`;
      const listed = execFileSync('festival', ['--pipe'], { input: program }).toString().trim().split('\n');
      const words = listed.map((line) => {
        const [text = '', start, end] = line.split(' ');
        return { text, startMs: Number(start) * 1_000, endMs: Number(end) * 1_000 };
      });
      return { samples: readWav(readFileSync(wave)), words };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
