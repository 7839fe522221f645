// The program of an engine process. It loads its models once, and then analyses one clip after the other.
import { join } from 'node:path';
import type { TranscribeOptions } from '../embedded/transcription.ts';
import { loadVoiceDetector } from '../embedded/voice-detector.ts';
import type { Sound } from '../engine.ts';
import { sampleRate } from '../engine.ts';
import { voiceModel } from '../models/declaration.ts';
import type { ChildTask, ClipHints, FromChild, Profile, Results, ToChild } from './protocol.ts';

/** Analyses a clip according to the profile of this process. */
type AnalyseClip = (sound: Sound, asked: ClipHints & TranscribeOptions) => Promise<Results[Profile]>;

/** The clip that is being analysed. */
interface Current {
  readonly clip: number;
  readonly stop: AbortController;
  /** Resolves the pending request for the next piece of sound. */
  take: ((samples: Float32Array | undefined) => void) | undefined;
}

let current: Current | undefined;
let doneMs = 0;

const send = (message: FromChild) => void process.send?.(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function loadAnalysis(task: ChildTask): Promise<AnalyseClip> {
  const { profile, voiceFolder, textFolder = '', weightsPath = '' } = task;
  const judgeVoice = await loadVoiceDetector(join(voiceFolder, voiceModel.files[0]!.name));
  // Each module is loaded only if used, because they need tens of megabytes.
  switch (profile) {
    case 'moonshine':
    case 'whisper': {
      const { transcribe } = await import('../embedded/transcribe.ts');
      const models = { judgeVoice, ...(await (await import('./speech-models.ts')).loadSpeechModels(task)) };
      const { rareWordsOf } = await import('../embedded/prompt-words.ts');
      const { createThirdListen } = await import('./third-listen.ts');
      const openThird = createThirdListen();
      return (sound, { vocabulary = [], prompt = '', thirdFolder, ...asked }) =>
        transcribe({ ...models, lastRecogniser: openThird(thirdFolder) }, sound, {
          ...asked,
          vocabulary: [...vocabulary, ...rareWordsOf(prompt)],
        });
    }
    case 'voice': {
      const { markVoice } = await import('../embedded/transcribe.ts');
      return (sound, asked) => markVoice(judgeVoice, sound, asked);
    }
    case 'labels': {
      const { loadLabeller } = await import('../labels/labeller.ts');
      const labelSound = await loadLabeller(judgeVoice, textFolder, weightsPath);
      return (sound, { signal }) => labelSound(sound, signal);
    }
    case 'words': {
      const { alignWords } = await import('../words/align-words.ts');
      const aligner = await (await import('../embedded/aligner.ts')).loadAligner();
      return (sound, { words = [], signal, onProgress }) =>
        alignWords({ judgeVoice, aligner }, words, sound, signal, onProgress);
    }
  }
}

/** Requests the sound from the server piece by piece, each after the previous one was processed. */
async function* askForSound(at: Current) {
  for (;;) {
    const samples = await new Promise<Float32Array | undefined>((resolve) => {
      at.take = resolve;
      send({ kind: 'more', clip: at.clip, doneMs });
    });
    at.stop.signal.throwIfAborted();
    if (samples === undefined) return;
    yield samples;
    doneMs += (samples.length / sampleRate) * 1_000;
  }
}

async function analyseClip(analyse: AnalyseClip, clip: number, hints: ClipHints): Promise<void> {
  const at: Current = { clip, stop: new AbortController(), take: undefined };
  current = at;
  doneMs = 0;
  try {
    const result = await analyse(askForSound(at), {
      ...hints,
      signal: at.stop.signal,
      onProgress: (ms) => send({ kind: 'progress', clip, doneMs: ms }),
      onPart: (part) => send({ kind: 'part', clip, part }),
    });
    send({ kind: 'done', clip, result });
  } catch (error) {
    send({ kind: 'failed', clip, reason: at.stop.signal.aborted ? 'cancelled' : reasonOf(error) });
  } finally {
    current = undefined;
  }
}

function receive(analyse: AnalyseClip, message: ToChild): void {
  if (message.kind === 'analyse') return void analyseClip(analyse, message.clip, message);
  // A message about a clip that has just ended may cross our message about its end.
  if (current?.clip !== message.clip) return;
  if (message.kind === 'cancel') current.stop.abort();
  const { take } = current;
  current.take = undefined;
  take?.(message.kind === 'sound' ? message.samples : undefined);
}

// The server ends this process by disconnecting. Signals to the process group are ignored.
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

try {
  const analyse = await loadAnalysis(JSON.parse(process.argv[2]!) as ChildTask);
  process.on('message', (message: ToChild) => receive(analyse, message));
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'broken', reason: reasonOf(error) });
}
