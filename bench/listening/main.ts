// Accuracy and speed of the embedded engines: word errors on recorded speech, errors of word times compared with a
// synthetic voice, words where there is no speech, labels, speed and memory of the processes. Speed is compared with a
// fixed piece of work in the same run, because absolute figures of a shared machine mean little.
import { fileURLToPath } from 'node:url';
import { createEmbeddedEngine } from '@earshot/server/platform/listening/embedded-engine';
import type { Captions } from '@earshot/server/platform/listening/engine';
import { createModelStore } from '@earshot/server/platform/listening/models/model-store';
import { silentLog } from '@earshot/server/testing/log';
import { asSound } from '@earshot/server/testing/speech';
import type { Clip } from './corpus.ts';
import { readDebianClips, readSharedClips, readVoiceless } from './corpus.ts';
import { speakTimed } from './festival.ts';
import { measureLabels } from './labels.ts';
import { cpuSeconds, peakMemoryMB, referenceSeconds } from './process-use.ts';
import { compareWords, spokenWords, quantile } from './scoring.ts';

const profiles = [
  { profile: 'moonshine', mostErrors: 0.06 },
  { profile: 'whisper', mostErrors: 0.06 },
] as const;
const mostTimeErrorMs = 50;

const never = new AbortController().signal;
const folder = fileURLToPath(new URL('../../node_modules/.cache/earshot-models', import.meta.url));
const models = createModelStore({ folder, log: silentLog, mayFetch: true });
const print = (line: string) => void process.stdout.write(`bench/listening  ${line}\n`);
const judge = (isGood: boolean) => {
  if (!isGood) process.exitCode = 1;
  return isGood ? 'ok' : 'NOT MET';
};

const shared = readSharedClips();
if (!shared) print('the speech beside this repository is missing; its clips are skipped');
const debian = readDebianClips();
if (!debian) print('skipped: more speech; install it with `apt-get install pocketsphinx-testdata`');
const timed = speakTimed();
if (!timed) print('skipped: word times; install the voice with `apt-get install festival festvox-kallpc16k`');
const spoken: readonly Clip[] = [...(shared ?? []), ...(debian ?? [])];
const voiceless = readVoiceless();

await measureLabels({ models, spoken, voiceless, print, judge });
for (const { profile, mostErrors } of profiles) await measure(profile, mostErrors);

async function measure(profile: (typeof profiles)[number]['profile'], mostErrors: number): Promise<void> {
  const engine = createEmbeddedEngine({ profile, models, log: silentLog });
  const { name, version } = engine.identity;
  const listen = (samples: Float32Array) => engine.caption(asSound(samples), { signal: never });
  try {
    await engine.prepare(never);
    const [pid] = engine.pids;
    const before = cpuSeconds(pid!);
    let soundSeconds = 0;
    let reference = 0;
    const total = { said: 0, errors: 0, substituted: 0, inserted: 0, missed: 0 };
    for (const clip of spoken) {
      const score = compareWords(spokenWords(clip.said), spokenWords(textOf(await listen(clip.samples))));
      soundSeconds += clip.samples.length / 16_000;
      reference += referenceSeconds(clip.samples);
      total.said += score.said;
      total.substituted += score.substituted;
      total.inserted += score.inserted;
      total.missed += score.missed;
    }
    const cpu = cpuSeconds(pid!) - before;
    const share = (total.substituted + total.inserted + total.missed) / total.said;
    const kinds = `${total.substituted} wrong, ${total.inserted} added, ${total.missed} missed`;
    const errors = `word errors ${(100 * share).toFixed(1)} % of ${total.said} words in ${spoken.length} clips (${kinds})`;
    print(`${name} ${version}  ${errors}  (goal ${100 * mostErrors} %, ${judge(share <= mostErrors)})`);
    await measureTimes(name, listen);
    const invented = await countInvented(listen);
    print(
      `${name}  words without speech: ${invented} in ${voiceless.length} clips  (goal 0, ${judge(invented === 0)})`,
    );
    const relative = `${(cpu / reference).toFixed(2)} times the CPU time of plain Fourier sums over the same sound`;
    print(`${name}  ${(soundSeconds / cpu).toFixed(1)} seconds of sound per CPU second; ${relative}`);
    print(`${name}  at most ${peakMemoryMB(pid!).toFixed(0)} MB`);
  } finally {
    await engine.close();
  }
}

async function measureTimes(name: string, listen: (samples: Float32Array) => Promise<Captions>): Promise<void> {
  if (!timed) return;
  const starts: number[] = [];
  const ends: number[] = [];
  let words = 0;
  for (const clip of timed) {
    const heard = (await listen(clip.samples)).segments.flatMap((segment) => segment.words);
    const plain = (list: readonly { readonly text: string }[]) => list.map(({ text }) => spokenWords(text).join(' '));
    words += clip.words.length;
    for (const [saidAt, heardAt] of compareWords(plain(clip.words), plain(heard)).matches) {
      starts.push(Math.abs(clip.words[saidAt]!.startMs - heard[heardAt]!.startMs));
      ends.push(Math.abs(clip.words[saidAt]!.endMs - heard[heardAt]!.endMs));
    }
  }
  const figures = (errors: readonly number[]) =>
    `median ${quantile(errors, 0.5).toFixed(0)} ms, p95 ${quantile(errors, 0.95).toFixed(0)} ms`;
  const isGood = quantile(starts, 0.5) <= mostTimeErrorMs;
  print(
    `${name}  word times: begin ${figures(starts)}; end ${figures(ends)}; ${starts.length} of ${words} words compared  (goal median ${mostTimeErrorMs} ms, ${judge(isGood)})`,
  );
}

async function countInvented(listen: (samples: Float32Array) => Promise<Captions>): Promise<number> {
  let invented = 0;
  for (const { samples } of voiceless) {
    invented += (await listen(samples)).segments.reduce((sum, { words }) => sum + words.length, 0);
  }
  return invented;
}

function textOf({ segments }: Captions): string {
  return segments.map(({ text }) => text).join(' ');
}
