import type { Clip } from './corpus.ts';
import type { Listener } from './listener.ts';
import { isForeign } from './speech.ts';

export interface ForeignFigures {
  clips: number;
  found: number;
  /** Clips whose language is named correctly. */
  named: number;
  /** Words that are written as if the speech were English. */
  englishWords: number;
  /** Words that are written in the language of the clip. */
  ownWords: number;
}

export async function measureForeign(
  listener: Listener,
  clips: readonly Clip[],
  show: (line: string) => void,
): Promise<ForeignFigures> {
  const figures: ForeignFigures = { clips: 0, found: 0, named: 0, englishWords: 0, ownWords: 0 };
  for (const clip of clips) {
    const captions = await listener.caption(clip.read());
    const words = captions.segments.flatMap((segment) => segment.words.map(({ text }) => text));
    const isNamed = captions.language === clip.language;
    figures.clips += 1;
    if (isForeign(captions)) figures.found += 1;
    if (isNamed) figures.named += 1;
    if (isNamed) figures.ownWords += words.length;
    else figures.englishWords += words.length;
    if (!isForeign(captions)) show(`${clip.name} (${clip.language}) not recognised as foreign: ${words.join(' ')}`);
  }
  return figures;
}

export interface InventedFigures {
  clips: number;
  hours: number;
  words: number;
  clipsWithWords: number;
  /** Stretches that are marked as speech without words. */
  wordlessSpeech: number;
}

/** The words that are written for sound without speech. */
export async function measureInvented(
  listener: Listener,
  clips: readonly Clip[],
  show: (line: string) => void,
): Promise<InventedFigures> {
  const figures: InventedFigures = { clips: 0, hours: 0, words: 0, clipsWithWords: 0, wordlessSpeech: 0 };
  for (const clip of clips) {
    const samples = clip.read();
    const { segments } = await listener.caption(samples);
    const words = segments.flatMap((segment) => segment.words.map(({ text }) => text));
    figures.clips += 1;
    figures.hours += samples.length / 16_000 / 3_600;
    figures.words += words.length;
    if (words.length > 0) figures.clipsWithWords += 1;
    figures.wordlessSpeech += segments.filter((segment) => segment.words.length === 0).length;
    if (words.length > 0) show(`${clip.name} (${clip.said}): ${words.join(' ')}`);
  }
  return figures;
}
