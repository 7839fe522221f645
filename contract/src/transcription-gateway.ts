import { Type } from 'typebox';
import { operation, readsOnly } from './operation.ts';
import { filledText, shortTextLength } from './values.ts';

/**
 * Transcription for programs that call the API of OpenAI or a server of whisper.cpp. Their key is an upload key that may
 * transcribe, sent as `Authorization: Bearer`.
 */

const field = (description: string) => Type.Optional(Type.String({ description }));
const file = Type.String({ format: 'binary', description: 'WAV, MP3, M4A, FLAC, Ogg or WebM.' });
const prompt = field(
  'A text about the sound. At most 50 of its words, those that are not common, become more likely in the transcript.',
);

export const transcriptionFormats = ['json', 'text', 'srt', 'vtt', 'verbose_json'] as const;

const keyText = 'Send the secret of an upload key that may transcribe as `Authorization: Bearer`. ';
const hintText =
  'Nothing is stored. Parameters that this server cannot use, such as a temperature, are ignored. Size, length and the ' +
  'hours a day of a key are limited.';
const constantText =
  'Values that the engines do not have are constant in `verbose_json`: `tokens` is empty, `temperature` and ' +
  '`no_speech_prob` are 0. ';

const keyAnswers = {
  401: 'The key is missing, wrong or deleted.',
  403: 'The key may not transcribe.',
};
const answers = {
  200: 'The transcript, in the requested format.',
  400: 'The file is missing or no sound, or the format is unknown.',
  ...keyAnswers,
  413: 'The sound is too large or too long.',
  429: 'Too many wrong keys or requests, or the hours of the day are used up. `Retry-After` says when to try again.',
  503: 'The server does not transcribe at present.',
};

export const transcribeAsOpenAI = operation('gateway', {
  method: 'POST',
  path: '/v1/audio/transcriptions',
  repetition: 'harmless',
  summary: 'Transcribe sound as the API of OpenAI does',
  description:
    `For programs that call that API. ${keyText}Any model name is accepted: the name of one of the engines of this ` +
    `server selects it, any other name means the engine that the server uses. ${constantText}\`seek\` is the start in ` +
    `hundredths of a second. ${hintText}`,
  access: 'anyone',
  acts: [],
  bytes: 'received',
  gateway: {
    answerType: 'application/json',
    answers,
    form: Type.Object(
      {
        file,
        model: Type.Optional(Type.String({ examples: ['whisper-1'] })),
        response_format: field(`One of ${transcriptionFormats.join(', ')}; \`json\` when missing.`),
        'timestamp_granularities[]': field('`segment`, the default, or `word`; used by `verbose_json`.'),
        prompt,
        stream: field(
          '`true`: server-sent events `transcript.text.delta` while the sound is transcribed, then ' +
            '`transcript.text.done`, whatever the format is.',
        ),
      },
      { title: 'OpenAITranscription', description: 'Other parts are ignored.' },
    ),
  },
  trail: readsOnly,
});

export const transcribeAsWhisperCpp = operation('gateway', {
  method: 'POST',
  path: '/inference',
  repetition: 'harmless',
  summary: 'Transcribe sound as the server of whisper.cpp does',
  description:
    `For programs that call that server. ${keyText}${constantText}The probabilities of languages are not known and left ` +
    `out. ${hintText}`,
  access: 'anyone',
  acts: [],
  bytes: 'received',
  gateway: {
    answerType: 'application/json',
    answers: { ...answers, 400: 'The file is missing or no sound.' },
    form: Type.Object(
      {
        file,
        response_format: field(`One of ${transcriptionFormats.join(', ')}; \`json\` for any other.`),
        prompt,
      },
      { title: 'WhisperCppTranscription', description: 'Other parts are ignored.' },
    ),
  },
  trail: readsOnly,
});

export const listModelsAsOpenAI = operation('gateway', {
  method: 'GET',
  path: '/v1/models',
  summary: 'List the models as the API of OpenAI does',
  description: `\`whisper-1\` and the names of the engines of this server; \`created\` is 0. ${keyText}`.trim(),
  access: 'anyone',
  acts: [],
  gateway: {
    answerType: 'application/json',
    answers: { 200: 'The list; empty if this server does not transcribe.', ...keyAnswers, 429: answers[429] },
  },
});

export const getModelAsOpenAI = operation('gateway', {
  method: 'GET',
  path: '/v1/models/{modelID}',
  summary: 'Read a model as the API of OpenAI does',
  description: keyText.trim(),
  access: 'anyone',
  acts: [],
  params: {
    modelID: Type.String({ ...filledText(shortTextLength, 'whisper-1'), description: 'A name of the list.' }),
  },
  gateway: {
    answerType: 'application/json',
    answers: {
      200: 'The model.',
      400: 'The name is malformed.',
      ...keyAnswers,
      404: 'This server has no engine of this name.',
      429: answers[429],
    },
  },
});
