// The program of an engine process. It loads its models once, and then analyses one clip after the other.
import { join } from 'node:path';
import { transcribe } from '../embedded/transcribe.ts';
import { voiceOnlyRecogniser } from '../embedded/recogniser.ts';
import { loadVoiceDetector } from '../embedded/voice-detector.ts';
import type { GivenWord, Sound } from '../engine.ts';
import { sampleRate } from '../engine.ts';
import { voiceModel } from '../models/declaration.ts';
import type { ChildTask, FromChild, Profile, Results, ToChild } from './protocol.ts';

/** Analyses a clip according to the profile of this process. */
type AnalyseClip = (
  sound: Sound,
  words: readonly GivenWord[],
  signal: AbortSignal,
  onHeard: (heardMs: number) => void,
) => Promise<Results[Profile]>;

/** The clip that is being analysed. */
interface Current {
  readonly clip: number;
  readonly stop: AbortController;
  /** Resolves the pending request for the next piece of sound. */
  take: ((samples: Float32Array | undefined) => void) | undefined;
}

let current: Current | undefined;
let heardMs = 0;

const send = (message: FromChild) => void process.send?.(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function loadAnalysis({
  profile,
  voiceFolder,
  textFolder = '',
  weightsPath = '',
}: ChildTask): Promise<AnalyseClip> {
  const judgeVoice = await loadVoiceDetector(join(voiceFolder, voiceModel.files[0]!.name));
  // Each module is loaded only if used, because they need tens of megabytes.
  switch (profile) {
    case 'moonshine': {
      const recogniser = await (await import('../embedded/english.ts')).loadEnglishRecogniser(textFolder);
      return (sound, _, ...how) => transcribe({ judgeVoice, recogniser }, sound, ...how);
    }
    case 'whisper': {
      const recogniser = await (await import('../whisper/recogniser.ts')).loadWhisperRecogniser(textFolder);
      return (sound, _, ...how) => transcribe({ judgeVoice, recogniser }, sound, ...how);
    }
    case 'voice':
      return (sound, _, ...how) => transcribe({ judgeVoice, recogniser: voiceOnlyRecogniser }, sound, ...how);
    case 'labels': {
      const { loadLabeller } = await import('../labels/labeller.ts');
      const labelSound = await loadLabeller(judgeVoice, textFolder, weightsPath);
      return (sound, _, signal) => labelSound(sound, signal);
    }
    case 'words': {
      const { alignWords } = await import('../words/align-words.ts');
      const aligner = await (await import('../embedded/aligner.ts')).loadAligner();
      return (sound, words, ...how) => alignWords({ judgeVoice, aligner }, words, sound, ...how);
    }
  }
}

/** Requests the sound from the server piece by piece, each after the previous one was processed. */
async function* askForSound(at: Current) {
  for (;;) {
    const samples = await new Promise<Float32Array | undefined>((resolve) => {
      at.take = resolve;
      send({ kind: 'more', clip: at.clip, heardMs });
    });
    at.stop.signal.throwIfAborted();
    if (samples === undefined) return;
    yield samples;
    heardMs += (samples.length / sampleRate) * 1_000;
  }
}

async function analyseClip(analyse: AnalyseClip, clip: number, words: readonly GivenWord[]): Promise<void> {
  const at: Current = { clip, stop: new AbortController(), take: undefined };
  current = at;
  heardMs = 0;
  try {
    const onHeard = (ms: number) => send({ kind: 'heard', clip, heardMs: ms });
    const result = await analyse(askForSound(at), words, at.stop.signal, onHeard);
    send({ kind: 'done', clip, result });
  } catch (error) {
    send({ kind: 'failed', clip, reason: at.stop.signal.aborted ? 'cancelled' : reasonOf(error) });
  } finally {
    current = undefined;
  }
}

function receive(analyse: AnalyseClip, message: ToChild): void {
  if (message.kind === 'listen') return void analyseClip(analyse, message.clip, message.words ?? []);
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
