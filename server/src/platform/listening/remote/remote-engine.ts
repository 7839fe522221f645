import { cutWords, unknownSegment } from '../cut-words.ts';
import { isRepetitive } from '../embedded/decoding.ts';
import type { CaptionEngine, Captions, Listening, Segment, Sound, Stretch, VoiceGate, Word } from '../engine.ts';
import { ListeningFailed, sampleRate } from '../engine.ts';
import { createConcurrencyLimit } from '../concurrency-limit.ts';
import type { RemoteKind } from './adapters.ts';
import { adapters } from './adapters.ts';
import { createCaller } from './call.ts';
import type { ClipPart } from './parts.ts';
import { inParts } from './parts.ts';
import type { RequestForm } from './forms.ts';
import { createFormMemory } from './forms.ts';
import { writePrompt } from './prompt.ts';
import type { RemoteTranscript, SecondsSpan, TimedWord } from './transcript.ts';
import { spreadWords } from './transcript.ts';
import { encodeWav } from './wav.ts';

export interface RemoteEngineOptions {
  readonly kind: RemoteKind;
  /** The path of the API is added, as far as it is missing. */
  readonly url: string;
  readonly key?: string | undefined;
  readonly model?: string | undefined;
  /** Sound without a voice is not sent, and words outside of speech are dropped. Without a gate, everything is sent. */
  readonly gate?: VoiceGate | undefined;
  /** How many calls run at once. */
  readonly calls?: number;
  /** For one call. */
  readonly timeoutSeconds?: number;
  /** The size of one part; ten minutes by default. */
  readonly partSamples?: number;
  /** The delay before the first retry; doubled for each further one. */
  readonly firstWaitMs?: number;
}

/** How far a word may be outside of what the gate takes for speech. */
const toleranceMs = 500;

/** Captions from a remote server. */
export function createRemoteEngine(options: RemoteEngineOptions): CaptionEngine {
  const { kind, url, key, gate, calls = 2, timeoutSeconds = 900 } = options;
  const adapter = adapters[kind];
  const model = options.model ?? adapter.model;
  const identity = { name: kind, version: model };
  const { call, close } = createCaller({
    name: adapter.name,
    url,
    key,
    timeoutMs: timeoutSeconds * 1_000,
    firstWaitMs: options.firstWaitMs ?? 1_000,
  });
  const askInForms = createFormMemory();
  const runLimited = createConcurrencyLimit(calls);
  const closing = new AbortController();

  const transcribePart = async (
    part: ClipPart,
    prompt: string,
    signal: AbortSignal,
  ): Promise<PlacedPart | undefined> => {
    const speech = gate && (await gate.findSpeech(once(part.samples), { signal }));
    if (speech?.length === 0) return undefined;
    const wav = encodeWav(part.samples);
    const ask = (form: RequestForm) => call(adapter.ask(wav, { model, key }, form), signal);
    const answer = await (adapter.hasForms ? askInForms(prompt, ask) : ask({ format: 'verbose_json', prompt: '' }));
    return placeTranscript(adapter.read(answer, part.samples.length / sampleRate), part, speech);
  };

  const caption = async (sound: Sound, { signal, onProgress, ...hints }: Listening): Promise<Captions> => {
    const prompt = writePrompt(hints);
    const placed: PlacedPart[] = [];
    let soundMs = 0;
    for await (const part of inParts(sound, options.partSamples)) {
      const found = await transcribePart(part, prompt, signal);
      if (found) placed.push(found);
      soundMs = part.startMs + Math.round(part.samples.length / 16);
      onProgress?.(soundMs);
    }
    const segments = placed.flatMap((part) => part.segments);
    const known = segments.filter(({ isLanguageKnown }) => isLanguageKnown);
    const isLanguageKnown = lengthOf(known) * 2 >= lengthOf(segments);
    const language = isLanguageKnown && known.length > 0 ? placed.find((part) => part.language)?.language : undefined;
    return { engine: identity, language, isLanguageKnown, segments, soundMs };
  };

  return {
    identity,
    prepare: async (signal) => gate?.prepare(signal),
    caption: (sound, listening) => {
      const signal = AbortSignal.any([listening.signal, closing.signal]);
      return runLimited(signal, () => caption(sound, { ...listening, signal }));
    },
    async close() {
      closing.abort(new ListeningFailed('the engine is being shut down'));
      await Promise.all([close(), gate?.close()]);
    },
  };
}

interface PlacedPart {
  readonly language: string | undefined;
  readonly segments: readonly Segment[];
}

/** Converts the times of a part to times of the clip; drops words outside of speech. */
function placeTranscript(
  transcript: RemoteTranscript,
  part: ClipPart,
  speech: readonly Stretch[] | undefined,
): PlacedPart {
  const endMs = part.startMs + Math.round(part.samples.length / 16);
  const toMs = (seconds: number) => Math.min(endMs, part.startMs + Math.max(0, Math.round(seconds * 1_000)));
  const isSaid = ({ startMs, endMs: wordEndMs }: Stretch) => {
    const middle = (startMs + wordEndMs) / 2 - part.startMs;
    return speech?.some((one) => middle >= one.startMs - toleranceMs && middle <= one.endMs + toleranceMs) ?? true;
  };
  const toWord = ({ text, start, end, confidence }: TimedWord): Word => {
    const percent = Math.round(100 * Math.max(0, Math.min(1, confidence)));
    return { text, startMs: toMs(start), endMs: toMs(Math.max(start, end)), confidence: percent };
  };
  const estimated = new Set(
    transcript.untimed.flatMap((text) => spreadWords(text, speechWithin(text, speech)).map(toWord)),
  );
  const words = [...transcript.words.map(toWord).filter(isSaid), ...estimated].toSorted(
    (a, b) => a.startMs - b.startMs,
  );
  const doubtful = transcript.doubtful.map(({ start, end }) => unknownSegment(toMs(start), toMs(end))).filter(isSaid);
  const isLoop = isRepetitive(words.map(({ text }) => text));
  const understood = isLoop
    ? [unknownSegment(words[0]!.startMs, words.at(-1)!.endMs)]
    : markEstimated(cutWords(words), estimated);
  const segments = [...understood, ...doubtful].toSorted((a, b) => a.startMs - b.startMs);
  return { language: transcript.language, segments };
}

/** The speech within a span, in which its words were said. Without a gate, all of it may be speech. */
function speechWithin({ start, end }: SecondsSpan, speech: readonly Stretch[] | undefined): readonly SecondsSpan[] {
  if (!speech) return [{ start, end }];
  const tolerance = toleranceMs / 1_000;
  return speech.flatMap(({ startMs, endMs }) => {
    const within = { start: Math.max(start, startMs / 1_000), end: Math.min(end, endMs / 1_000) };
    return within.start < within.end + tolerance ? [{ ...within, end: Math.max(within.start, within.end) }] : [];
  });
}

const markEstimated = (segments: readonly Segment[], estimated: ReadonlySet<Word>): Segment[] =>
  segments.map((segment) =>
    segment.words.some((word) => estimated.has(word)) ? { ...segment, isTimed: false } : segment,
  );

const lengthOf = (segments: readonly Segment[]) =>
  segments.reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);

async function* once(samples: Float32Array): Sound {
  yield samples;
}
