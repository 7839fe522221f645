import { loadEnglishRecogniser } from '../embedded/english.ts';
import { throughNoiseFilter } from '../embedded/recognise-until-sure.ts';
import type { StretchModels } from '../embedded/stretch-transcriber.ts';
import { loadLanguageHead } from '../whisper/language-head.ts';
import { loadWhisperRecogniser } from '../whisper/recogniser.ts';
import type { ChildTask } from './protocol.ts';

type SpeechTask = Pick<ChildTask, 'profile' | 'textFolder' | 'languageFolder'>;

/** Loads the models of a profile. What only some clips need is loaded when the first of them needs it. */
export async function loadSpeechModels({
  profile,
  textFolder = '',
  languageFolder = '',
}: SpeechTask): Promise<StretchModels> {
  const openHead = onFirstUse(() => loadLanguageHead(languageFolder));
  const detectLanguage: StretchModels['detectLanguage'] = async (...speech) =>
    (await (await openHead()).detect(...speech)).language;
  if (profile === 'whisper') {
    const recogniser = await loadWhisperRecogniser(textFolder);
    return { recognisers: [recogniser], isSupported: () => true, detectLanguage };
  }
  const english = await loadEnglishRecogniser(textFolder);
  return {
    recognisers: [english, throughNoiseFilter(english)],
    isSupported: (language) => language === 'en',
    detectLanguage,
    assumedLanguage: 'en',
  };
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
