import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Decoder, SoundSwallowerModule } from 'soundswallower';
import createModule from 'soundswallower';
import { sampleRate } from '../engine.ts';
import { guessSounds } from './letter-sounds.ts';
import { speakWord } from './spoken-words.ts';

/** The time span of a word in the sound that it was aligned with. */
export interface WordSpan {
  readonly startSeconds: number;
  readonly endSeconds: number;
}

/** A word that was searched for. */
export interface FittedWord extends WordSpan {
  /** How well its phones match the sound, 0 to 1; 0 if it was only placed between its neighbours. */
  readonly fit: number;
}

export interface Alignment {
  /** One for each word, in order. */
  readonly words: readonly FittedWord[];
  /** How well the phones of all words match the sound, 0 to 1. */
  readonly fit: number;
}

export interface Aligner {
  /** Finds the time of each word; undefined if the words cannot be matched with the sound. */
  align(samples: Float32Array, words: readonly string[]): Alignment | undefined;
}

// Wide beams; narrow ones would lose words that are spoken unclearly.
const beams = { beam: 1e-80, wbeam: 1e-60, pbeam: 1e-80 };

/** SoundSwallower, which knows the pronunciation of English words only. */
export async function loadAligner(): Promise<Aligner> {
  const packageFolder = dirname(createRequire(import.meta.url).resolve('soundswallower'));
  // The package's types lack options that its README documents: the folder of the model and the message handlers.
  const options: object = { modelBase: join(packageFolder, 'model/'), print: () => {}, printErr: () => {} };
  const module: SoundSwallowerModule = await createModule(options);
  const decoder = new module.Decoder({ ...beams, samprate: sampleRate, loglevel: 'FATAL' });
  await decoder.initialize();
  return { align: (samples, words) => align(decoder, samples, words) };
}

/** A word of the aligner's dictionary, and the index of the given word that it is a part of. */
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
    // The worst of its parts counts.
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
  // Silence and noise are in brackets.
  const found = decoder.get_alignment().w?.filter(({ t }) => !/^[<[(+]/.test(t));
  return found?.length === parts.length ? found : undefined;
}

/** Words without a match are placed between their neighbours. */
function fillGaps(places: readonly (FittedWord | undefined)[], endSeconds: number): FittedWord[] {
  return places.map((place, at) => {
    if (place) return place;
    const before = places.findLast((other, index) => index < at && other !== undefined)?.endSeconds ?? 0;
    const after = places.find((other, index) => index > at && other !== undefined)?.startSeconds ?? endSeconds;
    return { startSeconds: before, endSeconds: Math.max(before, after), fit: 0 };
  });
}
