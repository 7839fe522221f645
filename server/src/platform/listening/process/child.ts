// The program of a process that listens. It loads its models once, and then listens to one clip after the other.
import { join } from 'node:path';
import type { Ears } from '../embedded/listen.ts';
import { listen } from '../embedded/listen.ts';
import type { Recogniser } from '../embedded/recogniser.ts';
import { understandsNothing } from '../embedded/recogniser.ts';
import { loadVoiceDetector } from '../embedded/voice-detector.ts';
import { sampleRate } from '../engine.ts';
import { voiceModel } from '../models/declaration.ts';
import type { ChildTask, FromChild, Profile, ToChild } from './protocol.ts';

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

async function loadEars({ profile, voiceFolder, textFolder }: ChildTask): Promise<Ears> {
  const judgeVoice = await loadVoiceDetector(join(voiceFolder, voiceModel.files[0]!.name));
  return { judgeVoice, recogniser: await loadRecogniser(profile, textFolder ?? '') };
}

async function loadRecogniser(profile: Profile, folder: string): Promise<Recogniser> {
  // Each is loaded only where it is used: they bring tens of megabytes along.
  switch (profile) {
    case 'moonshine':
      return (await import('../embedded/english.ts')).loadEnglishRecogniser(folder);
    case 'whisper':
      return (await import('../whisper/recogniser.ts')).loadWhisperRecogniser(folder);
    case 'voice':
      return understandsNothing;
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

async function listenTo(ears: Ears, clip: number): Promise<void> {
  const at: Current = { clip, stop: new AbortController(), take: undefined };
  current = at;
  heardMs = 0;
  try {
    const onHeard = (ms: number) => say({ kind: 'heard', clip, heardMs: ms });
    const result = await listen(ears, askForSound(at), at.stop.signal, onHeard);
    say({ kind: 'done', clip, result });
  } catch (error) {
    say({ kind: 'failed', clip, reason: at.stop.signal.aborted ? 'cancelled' : reasonOf(error) });
  } finally {
    current = undefined;
  }
}

function hear(ears: Ears, message: ToChild): void {
  if (message.kind === 'listen') return void listenTo(ears, message.clip);
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
