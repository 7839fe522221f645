import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resampler } from '@earshot/server/platform/media/js-resampler';
import { joinSound } from '@earshot/server/testing/speech';
import type { GroupName } from './corpus.ts';
import { readSamples } from './corpus.ts';
import { amplify, bandPass, convolve, randomOf, rootMeanSquare, speechLevel, whiteNoise } from './signal.ts';

/*
 * What happens to speech before a recorder stores it, made from the clean clips. The result depends only on the samples
 * and the name of the clip. Only codec2 shifts the words in time, by
 * at most 45 ms, as its radios do.
 */

export type ConditionName = keyof typeof conditions;

interface Condition {
  readonly title: string;
  /** Who speaks; native speakers if not given. */
  readonly group?: GroupName;
  /** Whether a device with such sound is one for radio, whose speech gets a third listen by default. */
  readonly isRadio?: boolean;
  /** `behind`: other people who speak at the same time. */
  readonly apply: (samples: Float32Array, name: string, behind: readonly Float32Array[]) => Float32Array;
}

const encodings = {
  mp3: { ending: 'mp3', encoder: ['-c:a', 'libmp3lame', '-b:a', '16k'] },
  opus: { ending: 'ogg', encoder: ['-c:a', 'libopus', '-b:a', '8k'] },
  gsm: { ending: 'gsm', encoder: ['-ar', '8000', '-c:a', 'libgsm'] },
  codec3200: { ending: 'c2', encoder: ['-ar', '8000', '-c:a', 'libcodec2', '-mode', '3200'] },
  codec2400: { ending: 'c2', encoder: ['-ar', '8000', '-c:a', 'libcodec2', '-mode', '2400'] },
  codec1300: { ending: 'c2', encoder: ['-ar', '8000', '-c:a', 'libcodec2', '-mode', '1300'] },
} as const;

const recoded = (name: keyof typeof encodings) => (samples: Float32Array) => recode(samples, encodings[name]);

export const conditions = {
  clean: { title: 'clean', apply: (samples) => samples },
  telephone: { title: 'telephone, μ-law', apply: telephone },
  gsm: { title: 'telephone, GSM', apply: (samples) => recode(bandPass(samples, ...voiceBand), encodings.gsm) },
  codec3200: { title: 'digital radio, codec2 at 3200 bit/s', isRadio: true, apply: recoded('codec3200') },
  codec2400: { title: 'digital radio, codec2 at 2400 bit/s', isRadio: true, apply: recoded('codec2400') },
  codec1300: { title: 'digital radio, codec2 at 1300 bit/s', isRadio: true, apply: recoded('codec1300') },
  radio20: { title: 'radio, 20 dB', isRadio: true, apply: (samples, name) => radio(samples, name, 20) },
  radio10: { title: 'radio, 10 dB', isRadio: true, apply: (samples, name) => radio(samples, name, 10) },
  squelch: { title: 'radio, hard clipping, squelch tail', isRadio: true, apply: overdriven },
  talkers: { title: 'two talkers behind, 8 dB', apply: (samples, _name, behind) => addTalkers(samples, behind) },
  reverberant: { title: 'reverberant', apply: reverberant },
  mp3: { title: 'MP3, 16 kbit/s', apply: recoded('mp3') },
  opus: { title: 'Opus, 8 kbit/s', apply: recoded('opus') },
  nonnative: { title: 'non-native speakers', group: 'non-native', apply: (samples) => samples },
  children: { title: 'non-native children', group: 'children', apply: (samples) => samples },
} as const satisfies Record<string, Condition>;

export const conditionOf = (name: ConditionName): Condition => conditions[name];

const voiceBand = [300, 3_400] as const;

/** 300 to 3,400 Hz at 8 kHz, in eight bits by the μ-law. */
function telephone(samples: Float32Array): Float32Array {
  const narrow = resample(bandPass(samples, ...voiceBand), 16_000, 8_000);
  return resample(narrow.map(throughMuLaw), 8_000, 16_000).subarray(0, samples.length);
}

function throughMuLaw(sample: number): number {
  const size = Math.log1p(255 * Math.min(1, Math.abs(sample))) / Math.log(256);
  const stored = Math.round(size * 127) / 127;
  return (Math.sign(sample) * (256 ** stored - 1)) / 255;
}

/** The voice band, compressed and lightly clipped, in static noise, with the noise of the squelch at the end. */
function radio(samples: Float32Array, name: string, ratioDb: number): Float32Array {
  const voice = bandPass(samples, ...voiceBand);
  const drive = 1.5 / (Math.max(1e-6, speechLevel(voice)) * 3);
  const clipped = bandPass(
    voice.map((sample) => Math.tanh(drive * sample)),
    ...voiceBand,
  );
  const tailSamples = 3_200;
  const random = randomOf(name);
  const hiss = bandPass(whiteNoise(samples.length + tailSamples, random), ...voiceBand);
  const level = speechLevel(clipped) / 10 ** (ratioDb / 20) / rootMeanSquare(hiss);
  const mixed = joinSound(clipped, new Float32Array(tailSamples)).map((sample, at) => {
    const isTail = at >= samples.length;
    return sample + hiss[at]! * (isTail ? Math.max(level, 0.3) : level);
  });
  return amplify(mixed, 0.5);
}

/**
 * A microphone that is shouted at: clipped at the level of the voice, in light static noise, with a long and loud squelch
 * tail.
 */
function overdriven(samples: Float32Array, name: string): Float32Array {
  const voice = bandPass(samples, ...voiceBand);
  const limit = Math.max(1e-6, speechLevel(voice));
  const clipped = bandPass(
    voice.map((sample) => Math.max(-limit, Math.min(limit, sample)) / limit),
    ...voiceBand,
  );
  const tailSamples = 6_400;
  const hiss = bandPass(whiteNoise(samples.length + tailSamples, randomOf(name)), ...voiceBand);
  const level = speechLevel(clipped) / 10 / rootMeanSquare(hiss);
  const mixed = joinSound(clipped, new Float32Array(tailSamples)).map(
    (sample, at) => sample + hiss[at]! * (at < samples.length ? level : 15 * level),
  );
  return amplify(mixed, 0.3);
}

/** Other talkers, together 8 dB below the first one, from the beginning to the end. */
function addTalkers(samples: Float32Array, behind: readonly Float32Array[]): Float32Array {
  const talkers = behind.map((talker) => amplify(talker, 1 / Math.max(1e-6, speechLevel(talker))));
  const babble = samples.map((_, at) => talkers.reduce((sum, talker) => sum + talker[at % talker.length]!, 0));
  const level = speechLevel(samples) / 10 ** (8 / 20) / Math.max(1e-6, speechLevel(babble));
  return samples.map((sample, at) => sample + level * babble[at]!);
}

/** A room with a reverberation time of 0.6 s, in which the reverberation is as loud as the direct sound. */
function reverberant(samples: Float32Array): Float32Array {
  const length = 12_800;
  const decay = Math.log(1_000) / (0.6 * 16_000);
  const random = randomOf('room');
  const response = whiteNoise(length, random).map((value, at) => (at < 48 ? 0 : value * Math.exp(-decay * at)));
  const energy = response.reduce((sum, value) => sum + value * value, 0);
  const room = amplify(response, 1 / Math.sqrt(energy));
  room[0] = 1;
  return amplify(convolve(samples, room), 0.6);
}

/** Encoded and decoded by ffmpeg. */
function recode(
  samples: Float32Array,
  { ending, encoder }: { readonly ending: string; readonly encoder: readonly string[] },
): Float32Array {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-recode-'));
  try {
    const path = join(folder, `clip.${ending}`);
    const format = ['-f', 'f32le', '-ar', '16000', '-ac', '1', '-i', '-'];
    const input = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    execFileSync('ffmpeg', ['-v', 'error', ...format, ...encoder, path], { input });
    return readSamples(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function resample(samples: Float32Array, from: number, to: number): Float32Array {
  const resampler = new Resampler(from, to);
  return joinSound(resampler.push(samples), resampler.finish());
}
