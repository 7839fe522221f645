// The program of a process that listens. It loads its models once, and then listens to one clip after the other.
import { join } from 'node:path';
import { listen } from '../embedded/listen.ts';
import { understandsNothing } from '../embedded/recogniser.ts';
import { loadVoiceDetector } from '../embedded/voice-detector.ts';
import type { GivenWord, Sound } from '../engine.ts';
import { sampleRate } from '../engine.ts';
import { voiceModel } from '../models/declaration.ts';
import type { ChildTask, FromChild, Profile, Results, ToChild } from './protocol.ts';

/** What this process makes of a clip. */
type Ears = (
  sound: Sound,
  words: readonly GivenWord[],
  signal: AbortSignal,
  onHeard: (heardMs: number) => void,
) => Promise<Results[Profile]>;

/** The clip that is being listened to. */
interface Current {
  readonly clip: number;
  readonly stop: AbortController;
  /** Whoever waits for the next piece of sound. */
  take: ((samples: Float32Array | undefined) => void) | undefined;
}

let current: Current | undefined;
let heardMs = 0;

const say = (message: FromChild) => void process.send?.(message);
const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function loadEars({ profile, voiceFolder, textFolder = '', weightsPath = '' }: ChildTask): Promise<Ears> {
  const judgeVoice = await loadVoiceDetector(join(voiceFolder, voiceModel.files[0]!.name));
  // Each is loaded only where it is used: they bring tens of megabytes along.
  switch (profile) {
    case 'moonshine': {
      const recogniser = await (await import('../embedded/english.ts')).loadEnglishRecogniser(textFolder);
      return (sound, _, ...how) => listen({ judgeVoice, recogniser }, sound, ...how);
    }
    case 'whisper': {
      const recogniser = await (await import('../whisper/recogniser.ts')).loadWhisperRecogniser(textFolder);
      return (sound, _, ...how) => listen({ judgeVoice, recogniser }, sound, ...how);
    }
    case 'voice':
      return (sound, _, ...how) => listen({ judgeVoice, recogniser: understandsNothing }, sound, ...how);
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

/** Asks the server for the sound piece by piece, each only when the one before has been dealt with. */
async function* askForSound(at: Current) {
  for (;;) {
    const samples = await new Promise<Float32Array | undefined>((resolve) => {
      at.take = resolve;
      say({ kind: 'more', clip: at.clip, heardMs });
    });
    at.stop.signal.throwIfAborted();
    if (samples === undefined) return;
    yield samples;
    heardMs += (samples.length / sampleRate) * 1_000;
  }
}

async function listenTo(ears: Ears, clip: number, words: readonly GivenWord[]): Promise<void> {
  const at: Current = { clip, stop: new AbortController(), take: undefined };
  current = at;
  heardMs = 0;
  try {
    const onHeard = (ms: number) => say({ kind: 'heard', clip, heardMs: ms });
    const result = await ears(askForSound(at), words, at.stop.signal, onHeard);
    say({ kind: 'done', clip, result });
  } catch (error) {
    say({ kind: 'failed', clip, reason: at.stop.signal.aborted ? 'cancelled' : reasonOf(error) });
  } finally {
    current = undefined;
  }
}

function hear(ears: Ears, message: ToChild): void {
  if (message.kind === 'listen') return void listenTo(ears, message.clip, message.words ?? []);
  // A word about a clip that has just ended crosses our own about its end.
  if (current?.clip !== message.clip) return;
  if (message.kind === 'cancel') current.stop.abort();
  const { take } = current;
  current.take = undefined;
  take?.(message.kind === 'sound' ? message.samples : undefined);
}

// The server ends us by leaving us. A signal to its whole group must not end us before it has decided.
process.on('disconnect', () => process.exit());
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

try {
  const ears = await loadEars(JSON.parse(process.argv[2]!) as ChildTask);
  process.on('message', (message: ToChild) => hear(ears, message));
  say({ kind: 'ready' });
} catch (error) {
  say({ kind: 'broken', reason: reasonOf(error) });
}
