import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Decoder, SoundSwallowerModule } from 'soundswallower';
import createModule from 'soundswallower';
import { sampleRate } from '../engine.ts';
import { guessSounds } from './letter-sounds.ts';
import { speakWord } from './spoken-words.ts';

/** Where a word lies in the sound it was aligned with. */
export interface Placed {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** A word that was looked for. */
export interface FittedWord extends Placed {
  /** How well its sounds fit to what is heard, 0 to 1; 0 for one that only lies between others. */
  readonly fit: number;
}

export interface Alignment {
  /** One for each word, in order. */
  readonly words: readonly FittedWord[];
  /** How well the sounds of the words fit to what is heard, 0 to 1. */
  readonly fit: number;
}

export interface Aligner {
  /** Finds the time of each word of what is said; undefined where the words cannot be matched with the sound. */
  align(samples: Float32Array, words: readonly string[]): Alignment | undefined;
}

// Wide, or words that were said unclearly would have no way through.
const beams = { beam: 1e-80, wbeam: 1e-60, pbeam: 1e-80 };

/** SoundSwallower, which knows how English words sound and nothing else. */
export async function loadAligner(): Promise<Aligner> {
  const packageFolder = dirname(createRequire(import.meta.url).resolve('soundswallower'));
  // Its types forget what its README tells: where the model lies, and where its messages go.
  const options: object = { modelBase: join(packageFolder, 'model/'), print: () => {}, printErr: () => {} };
  const module: SoundSwallowerModule = await createModule(options);
  const decoder = new module.Decoder({ ...beams, samprate: sampleRate, loglevel: 'FATAL' });
  await decoder.initialize();
  return { align: (samples, words) => align(decoder, samples, words) };
}

/** What the aligner is asked for: a word of its dictionary, and which of ours it is a part of. */
interface Part {
  readonly sounded: string;
  readonly word: number;
}

function align(decoder: Decoder, samples: Float32Array, words: readonly string[]): Alignment | undefined {
  const parts = words.flatMap((text, word) => speakWord(text).map((sounded): Part => ({ sounded, word })));
  if (parts.length === 0) return undefined;
  learnWords(decoder, parts);
  const found = match(decoder, samples, parts);
  if (!found) return undefined;
  const places: (FittedWord | undefined)[] = words.map(() => undefined);
  let fit = 0;
  let seconds = 0;
  for (const [index, { b: start, d: duration, p: probability }] of found.entries()) {
    const word = parts[index]!.word;
    const before = places[word];
    // Of a word in several parts, the worst counts.
    places[word] = {
      startSeconds: before?.startSeconds ?? start,
      endSeconds: start + duration,
      fit: Math.min(before?.fit ?? 1, probability),
    };
    fit += probability * duration;
    seconds += duration;
  }
  return { words: fillGaps(places, samples.length / sampleRate), fit: seconds > 0 ? fit / seconds : 0 };
}

function learnWords(decoder: Decoder, parts: readonly Part[]): void {
  const unknown = new Set(parts.map(({ sounded }) => sounded).filter((word) => decoder.lookup_word(word) === null));
  const entries = [...unknown].map((word): [string, string] => [word, guessSounds(word)]);
  if (entries.length > 0) decoder.add_words(...entries);
}

function match(decoder: Decoder, samples: Float32Array, parts: readonly Part[]) {
  decoder.set_align_text(parts.map(({ sounded }) => sounded).join(' '));
  decoder.start();
  try {
    decoder.process_audio(samples, false, true);
  } finally {
    decoder.stop();
  }
  // Silence and noise are written in brackets.
  const found = decoder.get_alignment().w?.filter(({ t }) => !/^[<[(+]/.test(t));
  return found?.length === parts.length ? found : undefined;
}

/** Words without a sound of their own lie between their neighbours. */
function fillGaps(places: readonly (FittedWord | undefined)[], endSeconds: number): FittedWord[] {
  return places.map((place, at) => {
    if (place) return place;
    const before = places.findLast((other, index) => index < at && other !== undefined)?.endSeconds ?? 0;
    const after = places.find((other, index) => index > at && other !== undefined)?.startSeconds ?? endSeconds;
    return { startSeconds: before, endSeconds: Math.max(before, after), fit: 0 };
  });
}
