import { loadEnglishRecogniser } from '../embedded/english.ts';
import { throughNoiseFilter } from '../embedded/recognise-until-sure.ts';
import type { Recogniser } from '../embedded/recogniser.ts';
import type { StretchModels } from '../embedded/stretch-transcriber.ts';
import { loadLanguageHead } from '../whisper/language-head.ts';
import { loadWhisperRecogniser } from '../whisper/recogniser.ts';
import type { ChildTask } from './protocol.ts';

type SpeechTask = Pick<ChildTask, 'profile' | 'textFolder' | 'languageFolder' | 'thirdFolder'>;

/** Loads the models of a profile. What only some clips need is loaded when the first of them needs it. */
export async function loadSpeechModels({
  profile,
  textFolder = '',
  languageFolder = '',
  thirdFolder,
}: SpeechTask): Promise<StretchModels> {
  const openHead = onFirstUse(() => loadLanguageHead(languageFolder));
  const detectLanguage: StretchModels['detectLanguage'] = async (samples, signal) =>
    (await (await openHead()).detect(samples, signal)).language;
  if (profile === 'whisper') {
    const recogniser = await loadWhisperRecogniser(textFolder);
    return { recognisers: [recogniser], isSupported: () => true, detectLanguage };
  }
  const english = await loadEnglishRecogniser(textFolder);
  return {
    recognisers: [english, throughNoiseFilter(english)],
    lastRecogniser: thirdFolder === undefined ? undefined : openLater(thirdFolder),
    isSupported: (language) => language === 'en',
    detectLanguage,
    assumedLanguage: 'en',
  };
}

function openLater(folder: string): Pick<Recogniser, 'recognise'> {
  const open = onFirstUse(() => loadWhisperRecogniser(folder));
  return { recognise: async (...speech) => (await open()).recognise(...speech) };
}

function onFirstUse<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loaded: Promise<Value> | undefined;
  return () => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
}
