import type { Sound } from '../engine.ts';
import type { SpokenLanguages } from '../spoken-languages.ts';
import { onlyLanguage, orSet } from '../spoken-languages.ts';
import { isEnoughSpeech, joinStretches } from './clip-language.ts';
import type { TimedSpeech } from './find-speech.ts';
import { findSpeech, speechMsOf } from './find-speech.ts';
import { foreignSegment, makeSegments } from './segments.ts';
import { isClearSpeech } from './speech-evidence.ts';
import type { StretchTranscriber, StretchModels } from './stretch-transcriber.ts';
import { createStretchTranscriber } from './stretch-transcriber.ts';
import type { Transcription, TranscribeOptions } from './transcription.ts';
import type { JudgeWindow } from './voice-detector.ts';

export interface SpeechModels extends StretchModels {
  readonly judgeVoice: () => JudgeWindow;
}

/**
 * Transcribes a clip stretch by stretch. Unless one spoken language is set, the first clear speech waits until there is
 * enough of it to decide the language of the clip; after that, only the current stretch is in memory.
 */
export async function transcribe(
  models: SpeechModels,
  sound: Sound,
  { signal, onProgress, onPart, language: given, languages = [], recentLanguages = {}, vocabulary }: TranscribeOptions,
): Promise<Transcription> {
  const { judgeVoice } = models;
  const spoken: SpokenLanguages = { languages, recent: recentLanguages };
  const assumedLanguage = models.assumedLanguage && orSet(models.assumedLanguage, spoken);
  const waiting: TimedSpeech[] = [];
  const lengths = { all: 0, foreign: 0 };
  let language = onlyLanguage(spoken) ?? given;
  let soundMs = 0;

  const createTranscriber = (clipLanguage: string) =>
    createStretchTranscriber(models, { language: clipLanguage, spoken, vocabulary, signal });
  const transcribeStretch = async (stretch: TimedSpeech, toText: StretchTranscriber) => {
    const segments = makeSegments(stretch, await toText(stretch.samples), language);
    const isForeign = segments.some(({ isLanguageKnown }) => !isLanguageKnown);
    if (segments.length > 0) lengths.all += stretch.endMs - stretch.startMs;
    if (isForeign) lengths.foreign += stretch.endMs - stretch.startMs;
    onProgress(stretch.endMs);
    onPart({ segments, untilMs: stretch.endMs, language: lengths.all > 0 ? language : undefined });
  };
  let ofClip: StretchTranscriber | undefined;
  const transcribeWaiting = async () => {
    language ??= await models.detectLanguage(joinStretches(waiting), signal, spoken);
    ofClip ??= createTranscriber(language);
    for (const stretch of waiting.splice(0)) await transcribeStretch(stretch, ofClip);
  };

  const { mostSeconds } = models.recognisers[0];
  for await (const stretch of findSpeech(sound, { judgeVoice, mostSeconds, signal, onEnd: (ms) => (soundMs = ms) })) {
    const isUndecided = language === undefined && waiting.length === 0;
    if (isUndecided && assumedLanguage !== undefined && !isClearSpeech(stretch)) {
      await transcribeStretch(stretch, createTranscriber(assumedLanguage));
      continue;
    }
    waiting.push(stretch);
    if (language !== undefined || isEnoughSpeech(waiting)) await transcribeWaiting();
  }
  if (waiting.length > 0) await transcribeWaiting();
  return {
    language: lengths.all > 0 ? (language ?? assumedLanguage) : undefined,
    isLanguageKnown: lengths.foreign * 2 <= lengths.all,
    soundMs,
  };
}

const voiceSeconds = 20;

/** The times of all speech, in any language. */
export async function markVoice(
  judgeVoice: () => JudgeWindow,
  sound: Sound,
  { signal, onProgress, onPart }: TranscribeOptions,
): Promise<Transcription> {
  let soundMs = 0;
  let spokenSamples = 0;
  for await (const stretch of findSpeech(sound, {
    judgeVoice,
    mostSeconds: voiceSeconds,
    signal,
    onEnd: (ms) => (soundMs = ms),
  })) {
    spokenSamples += stretch.spokenSamples;
    onProgress(stretch.endMs);
    onPart({ segments: [foreignSegment(stretch)], untilMs: stretch.endMs, language: undefined });
  }
  return { language: undefined, isLanguageKnown: false, soundMs, speechMs: speechMsOf(spokenSamples, soundMs) };
}
