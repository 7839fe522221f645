import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { noise, silence } from '@earshot/server/testing/speech';

export interface Clip {
  readonly name: string;
  readonly samples: Float32Array;
  /** The spoken text; empty without speech. */
  readonly said: string;
}

const shared = fileURLToPath(new URL('../../../shared/data/speech', import.meta.url));
const debian = '/usr/share/pocketsphinx/test/data';

/** The transcripts that PocketSphinx's own tests expect for its recordings without a transcript file. */
const unwritten = {
  'goforward.raw': 'go forward ten meters',
  'numbers.raw': 'thirty three four six ninety two',
  'something.raw': 'go somewhere and do something',
};

/** Reads any sound file with ffmpeg. */
export function readSamples(path: string): Float32Array {
  const raw = path.endsWith('.raw') ? ['-f', 's16le', '-ar', '16000', '-ac', '1'] : [];
  const args = ['-v', 'error', ...raw, '-i', path, '-f', 'f32le', '-ac', '1', '-ar', '16000', '-'];
  const bytes = execFileSync('ffmpeg', args, { maxBuffer: 2 ** 30 });
  return new Float32Array(new Uint8Array(bytes).buffer);
}

/** The speech beside this repository, if present. */
export function readSharedClips(): Clip[] | undefined {
  const list = join(shared, 'transcripts.tsv');
  if (!existsSync(list)) return undefined;
  const lines = readFileSync(list, 'utf8').trim().split('\n');
  return lines.map((line) => {
    const [name = '', said = ''] = line.split('\t');
    return { name, said, samples: readSamples(join(shared, name)) };
  });
}

/** The recordings of Debian's pocketsphinx-testdata. */
export function readDebianClips(): Clip[] | undefined {
  if (!existsSync(debian)) return undefined;
  const written = [
    ['cards', 'cards.transcription'],
    ['librivox', 'transcription'],
  ] as const;
  const clips = written.flatMap(([folder, list]) => {
    const lines = readFileSync(join(debian, folder, list), 'utf8')
      .trim()
      .split('\n');
    return lines.map((line): Clip => {
      const [, said = '', name = ''] = /<s> (.*?)\s*<\/s> \((.*)\)/.exec(line) ?? [];
      return { name, said, samples: readSamples(join(debian, folder, `${name}.wav`)) };
    });
  });
  const others = Object.entries(unwritten).map(([name, said]) => ({
    name,
    said,
    samples: readSamples(join(debian, name)),
  }));
  return [...clips, ...others];
}

/** Sound without a voice: files beside this repository, and synthetic sound. */
export function readVoiceless(): Clip[] {
  const names = existsSync(shared) ? readdirSync(shared).filter((name) => name.startsWith('sound-')) : [];
  const tone = silence(20).map((_, at) => 0.3 * Math.sin((2 * Math.PI * 440 * at) / 16_000));
  const pulses = noise(20).map((value, at) => (at % 8_000 < 800 ? value : value / 100));
  const made = { silence: silence(60), noise: noise(60), 'loud noise': noise(20, 1), tone, pulses };
  return [
    ...names.map((name) => ({ name, said: '', samples: readSamples(join(shared, name)) })),
    ...Object.entries(made).map(([name, samples]) => ({ name, said: '', samples })),
  ];
}
