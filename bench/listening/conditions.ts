import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Resampler } from '@earshot/server/platform/media/js-resampler';
import { joinSound } from '@earshot/server/testing/speech';
import { readSamples } from './corpus.ts';
import { amplify, bandPass, convolve, randomOf, rootMeanSquare, speechLevel, whiteNoise } from './signal.ts';

/*
 * What happens to speech before a recorder stores it, made from the clean clips. The result depends only on the samples
 * and the name of the clip. No condition shifts the words in time.
 */

export type ConditionName = keyof typeof conditions;

interface Condition {
  readonly title: string;
  readonly apply: (samples: Float32Array, name: string) => Float32Array;
}

export const conditions = {
  clean: { title: 'clean', apply: (samples) => samples },
  telephone: { title: 'telephone', apply: telephone },
  radio20: { title: 'radio, 20 dB', apply: (samples, name) => radio(samples, name, 20) },
  radio10: { title: 'radio, 10 dB', apply: (samples, name) => radio(samples, name, 10) },
  reverberant: { title: 'reverberant', apply: reverberant },
  mp3: { title: 'MP3, 16 kbit/s', apply: (samples) => recode(samples, 'mp3', ['libmp3lame', '16k']) },
  opus: { title: 'Opus, 8 kbit/s', apply: (samples) => recode(samples, 'ogg', ['libopus', '8k']) },
} as const satisfies Record<string, Condition>;

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
function recode(samples: Float32Array, ending: string, [codec, rate]: readonly [string, string]): Float32Array {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-recode-'));
  try {
    const path = join(folder, `clip.${ending}`);
    const format = ['-f', 'f32le', '-ar', '16000', '-ac', '1', '-i', '-'];
    const input = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength);
    execFileSync('ffmpeg', ['-v', 'error', ...format, '-c:a', codec, '-b:a', rate, path], { input });
    return readSamples(path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function resample(samples: Float32Array, from: number, to: number): Float32Array {
  const resampler = new Resampler(from, to);
  return joinSound(resampler.push(samples), resampler.finish());
}
