// Accuracy and speed of the embedded engines: word errors on recorded speech as it is and in the conditions of
// recorders, doubtful words, word times, words where nobody speaks, foreign speech, labels, CPU time and memory. Speed is
// compared with a fixed piece of work in the same run, because absolute figures of a shared machine mean little.
import { fileURLToPath } from 'node:url';
import { createModelStore } from '@earshot/server/platform/listening/models/model-store';
import { silentLog } from '@earshot/server/testing/log';
import { openBench } from '../open-bench.ts';
import { measureCaptions } from './captions.ts';
import { esc50Folder, makeVoiceless, ownFolder, readDebianClips, readOwnClips, readSharedClips } from './corpus.ts';
import { isVoiceInstalled } from './festival.ts';
import type { Judge } from './goals.ts';
import { goals } from './goals.ts';
import { measureLabels } from './labels.ts';
import { readNonNativeClips } from './non-native.ts';
import type { OptionDefaults } from './options.ts';
import { readOptions, usage } from './options.ts';

const progress = (line: string) => void process.stderr.write(`bench/listening  ${line}\n`);
const print = (line: string) => void process.stdout.write(`${line}\n`);
const usual: OptionDefaults = { sounds: '400' };
const small: OptionDefaults = {
  profile: 'moonshine,labels',
  conditions: 'clean,radio10,foreign,sounds,times',
  clips: '1',
  sounds: '4',
};
const bench = openBench({ name: 'listening', goals, sizes: { usual, small } });
const judge: Judge = (figureName, figure) => {
  if (figureName in goals) bench.judge(figureName, figure);
};

try {
  await measure();
  bench.end();
} catch (error) {
  progress(`${(error as Error).message}\n${usage}`);
  process.exitCode = 1;
}

async function measure(): Promise<void> {
  const options = readOptions(process.argv.slice(2), bench.size);
  const folder = fileURLToPath(new URL('../../node_modules/.cache/earshot-models', import.meta.url));
  const models = createModelStore({ folder, log: silentLog, mayFetch: true });
  const [own, shared, debian] = [readOwnClips(), readSharedClips(), readDebianClips()];
  const nonNative = readNonNativeClips(ownFolder);
  if (!own) progress('EARSHOT_BENCH_SPEECH names no folder with a manifest.tsv; see docs/listening-bench.md');
  if (!shared) progress('the speech beside this repository is missing; its clips are skipped');
  if (!nonNative) progress('skipped: non-native speakers; EARSHOT_BENCH_SPEECH contains no folder speechocean762');
  if (!debian) progress('skipped: more speech; install it with `apt-get install pocketsphinx-testdata`');
  if (!esc50Folder) progress('skipped: sounds without speech; BENCH_ESC50 names no folder of ESC-50');
  if (!isVoiceInstalled) progress('skipped: exact word times; `apt-get install festival festvox-kallpc16k`');
  // The same recording may be in two of the places.
  const clips = [
    ...new Map(
      [...(own ?? []), ...(shared ?? []), ...(debian ?? []), ...(nonNative ?? [])].map((clip) => [clip.name, clip]),
    ).values(),
  ];
  if (options.profiles.length > 0) await measureCaptions({ models, clips, options, print, progress, judge });
  if (options.labels) {
    const { mostClips } = options;
    await measureLabels({ models, clips, voiceless: makeVoiceless(), mostClips, print, progress, judge });
  }
}
