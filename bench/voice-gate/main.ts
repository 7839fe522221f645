// The agent's voice gate beside Silero's detector: how much speech is not recorded, and how much other sound is. Where
// speech is, Silero tells of the clean clip. Both record with the same pre-roll and pauses. `--quick` uses fewer clips,
// `--speech` and `--other` measure one of the two tables, `--classes` names the other sounds that were recorded.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadVoiceDetector } from '@earshot/server/platform/listening/embedded/voice-detector';
import { voiceModel } from '@earshot/server/platform/listening/models/declaration';
import { createModelStore } from '@earshot/server/platform/listening/models/model-store';
import { silentLog } from '@earshot/server/testing/log';
import { joinSound } from '@earshot/server/testing/speech';
import type { ConditionName } from '../listening/conditions.ts';
import { conditionOf } from '../listening/conditions.ts';
import type { Clip } from '../listening/corpus.ts';
import {
  esc50Folder,
  makeVoiceless,
  pickEvenly,
  readDebianClips,
  readEnvironment,
  readOwnClips,
  readSharedClips,
} from '../listening/corpus.ts';
import { amplify, bandPass, randomOf, rootMeanSquare, speechLevel, whiteNoise } from '../listening/signal.ts';
import { percent } from '../listening/table.ts';
import { markdownTable } from '../markdown-table.ts';
import { openBench } from '../open-bench.ts';
import type { Stretch } from './stretches.ts';
import { lengthOf, missedSeconds, recordedAround, recordedByGate, speechBySilero } from './stretches.ts';

const print = (line: string) => void process.stdout.write(`${line}\n`);
const rate = 16_000;
const hangOverPadding = rate / 2;
const quick = { mostSpeech: 40, mostOther: 200, staticClips: 20 };
const bench = openBench({
  name: 'voice-gate',
  goals: {
    'speech not recorded': { atMost: 12, unit: '%' },
    'false starts per hour of noise, tones and static': { atMost: 0, inAnySize: true },
    'time recorded of ESC-50 without voices': { atMost: 40, unit: '%' },
    'processor time, as a ratio to Silero': { atMost: 0.5 },
  },
  sizes: {
    usual: process.argv.includes('--quick') ? quick : { mostSpeech: 200, mostOther: 2_000, staticClips: 20 },
    small: { mostSpeech: 2, mostOther: 5, staticClips: 1 },
  },
});
const { mostSpeech, mostOther, staticClips } = bench.size;
const isMeasured = (option: '--speech' | '--other') =>
  !process.argv.includes(option === '--speech' ? '--other' : '--speech');
const folder = fileURLToPath(new URL('../../node_modules/.cache/earshot-models', import.meta.url));
const models = createModelStore({ folder, log: silentLog, mayFetch: true });
const modelFolder = await models.provide(voiceModel, new AbortController().signal);
const newJudge = await loadVoiceDetector(join(modelFolder, voiceModel.files[0]!.name));
const known = [...(readOwnClips() ?? []), ...(readSharedClips() ?? []), ...(readDebianClips() ?? [])];
const clips = [...new Map(known.map((clip) => [clip.name, clip])).values()];
const speech = pickEvenly(
  clips.filter(({ language }) => language !== 'none'),
  mostSpeech,
);
if (speech.length === 0)
  throw new Error('There are no recordings of speech; docs/listening-bench.md says where to get them.');

/** With the stretches of speech, which begin after the background before them. */
const spokenClips: { name: string; samples: Float32Array; spoken: Stretch[] }[] = [];
for (const clip of isMeasured('--speech') ? speech : []) {
  const samples = clip.read();
  const spoken = await speechBySilero(samples, newJudge());
  spokenClips.push({ name: clip.name, samples, spoken: spoken.map(([from, to]): Stretch => [from + 3, to + 3]) });
}

/** Processor time of both, for the same sound. */
const cost = { gate: 0, silero: 0, seconds: 0 };

async function recordBoth(samples: Float32Array) {
  const start = process.cpuUsage();
  const gate = recordedByGate(samples);
  const middle = process.cpuUsage(start);
  const silero = await speechBySilero(samples, newJudge());
  const whole = process.cpuUsage(start);
  cost.gate += (middle.user + middle.system) / 1e6;
  cost.silero += (whole.user + whole.system - middle.user - middle.system) / 1e6;
  cost.seconds += samples.length / rate;
  return { gate, silero: recordedAround(silero), speech: silero };
}

/** Three seconds of the background of the recording before the speech, and three after it. */
function surround(samples: Float32Array, name: string, ratioDb: number, isNarrow = false): Float32Array {
  const random = randomOf(name);
  const white = whiteNoise(samples.length + 6 * rate, random);
  const noise = isNarrow ? bandPass(white, 300, 3_400) : white;
  const level = speechLevel(samples) / 10 ** (ratioDb / 20) / rootMeanSquare(noise);
  return joinSound(new Float32Array(3 * rate), samples, new Float32Array(3 * rate)).map(
    (sample, at) => sample + noise[at]! * level,
  );
}

interface SpeechCount {
  clips: number;
  seconds: number;
  missed: { gate: number; silero: number };
  lost: { gate: number; silero: number };
  cut: { gate: number; silero: number };
}

async function measureSpeech(change: (samples: Float32Array, name: string) => Float32Array): Promise<SpeechCount> {
  const zero = () => ({ gate: 0, silero: 0 });
  const count: SpeechCount = { clips: 0, seconds: 0, missed: zero(), lost: zero(), cut: zero() };
  for (const { name, samples, spoken } of spokenClips) {
    const [first] = spoken;
    if (!first) continue;
    const recorded = await recordBoth(change(samples, name));
    count.clips += 1;
    count.seconds += lengthOf(spoken);
    for (const which of ['gate', 'silero'] as const) {
      const missed = missedSeconds(spoken, recorded[which]);
      count.missed[which] += missed;
      if (missed >= lengthOf(spoken)) count.lost[which] += 1;
      else if (missedSeconds([[first[0], first[0] + 0.3]], recorded[which]) > 0) count.cut[which] += 1;
    }
  }
  return count;
}

const noisy = (name: ConditionName, ratioDb: number, isNarrow: boolean) => (samples: Float32Array, clip: string) =>
  surround(conditionOf(name).apply(samples, clip, []), clip, ratioDb, isNarrow);
const speechKinds: Readonly<Record<string, (samples: Float32Array, name: string) => Float32Array>> = {
  'clean, background 40 dB below': noisy('clean', 40, false),
  'white noise 10 dB below': noisy('clean', 10, false),
  'white noise 5 dB below': noisy('clean', 5, false),
  telephone: noisy('telephone', 30, true),
  'radio, 20 dB': noisy('radio20', 20, true),
  'radio, 10 dB': noisy('radio10', 10, true),
  reverberant: noisy('reverberant', 30, false),
};
const rows: string[][] = [];
for (const [title, change] of Object.entries(isMeasured('--speech') ? speechKinds : {})) {
  const { clips: count, seconds, missed, lost, cut } = await measureSpeech(change);
  bench.judge('speech not recorded', (100 * missed.gate) / seconds, { of: title });
  const both = (figure: (which: 'gate' | 'silero') => string) => `${figure('gate')} / ${figure('silero')}`;
  rows.push([
    title,
    `${count}, ${(seconds / 60).toFixed(0)} min`,
    both((which) => percent(missed[which], seconds)),
    both((which) => String(lost[which])),
    both((which) => String(cut[which])),
  ]);
}
const titles = [
  'speech (gate / Silero)',
  'clips',
  'speech not recorded',
  'clips not recorded at all',
  'first 0.3 s cut',
];
if (rows.length > 0) for (const line of markdownTable(titles, rows)) print(line);
print('');

/** Radio without anybody speaking: static, and bursts of the squelch. */
const radioStatic: Clip[] = Array.from({ length: staticClips }, (_, at) => ({
  name: `static ${at}`,
  source: 'static',
  group: 'native',
  language: 'none',
  said: 'radio static',
  read: () => {
    const noise = amplify(bandPass(whiteNoise(60 * rate, randomOf(`static ${at}`)), 300, 3_400), 0.02);
    return noise.map((sample, place) => (place % (7 * rate) < 3_200 ? sample * 15 : sample));
  },
}));
const environment = esc50Folder ? pickEvenly(readEnvironment(esc50Folder, false), mostOther) : [];
const voices = esc50Folder ? pickEvenly(readEnvironment(esc50Folder, true), mostOther / 5) : [];
const madeKinds = new Set(['silence, noise, tone, pulses', 'radio static and squelch']);
const otherKinds: Readonly<Record<string, readonly Clip[]>> = {
  'silence, noise, tone, pulses': makeVoiceless(),
  'radio static and squelch': radioStatic,
  'recordings without speech': pickEvenly(
    clips.filter(({ language }) => language === 'none'),
    mostSpeech,
  ),
  'ESC-50 without voices': environment,
  'ESC-50, laughing, coughing and other voices': voices,
};
const otherRows: string[][] = [];
for (const [title, kind] of Object.entries(isMeasured('--other') ? otherKinds : {})) {
  let seconds = 0;
  const starts = { gate: 0, silero: 0 };
  const recordedSeconds = { gate: 0, silero: 0 };
  const byClass = new Map<string, number>();
  for (const clip of kind) {
    // The gate needs to know the background before it; a recorder runs for days.
    const samples = clip.read();
    const recorded = await recordBoth(joinSound(samples, new Float32Array(hangOverPadding)));
    seconds += samples.length / rate;
    for (const which of ['gate', 'silero'] as const) {
      starts[which] += recorded[which].length;
      recordedSeconds[which] += Math.min(lengthOf(recorded[which]), samples.length / rate);
    }
    if (recorded.gate.length > 0) byClass.set(clip.said, (byClass.get(clip.said) ?? 0) + 1);
  }
  const perHour = (count: number) => (count / (seconds / 3_600)).toFixed(0);
  otherRows.push([
    title,
    `${kind.length}, ${(seconds / 60).toFixed(0)} min`,
    `${perHour(starts.gate)} / ${perHour(starts.silero)}`,
    `${percent(recordedSeconds.gate, seconds)} / ${percent(recordedSeconds.silero, seconds)}`,
  ]);
  if (madeKinds.has(title))
    bench.judge('false starts per hour of noise, tones and static', starts.gate / (seconds / 3_600), { of: title });
  if (title === 'ESC-50 without voices' && kind.length > 0)
    bench.judge('time recorded of ESC-50 without voices', (100 * recordedSeconds.gate) / seconds);
  if (process.argv.includes('--classes'))
    print(
      `${title}: ${[...byClass]
        .toSorted((a, b) => b[1] - a[1])
        .slice(0, 25)
        .join('; ')}`,
    );
}
const otherTitles = ['other sound (gate / Silero)', 'clips', 'false starts per hour', 'time recorded'];
if (otherRows.length > 0) for (const line of markdownTable(otherTitles, otherRows)) print(line);
print('');
const ofHour = (seconds: number) => `${((3_600 * seconds) / cost.seconds).toFixed(1)} s`;
bench.judge('processor time, as a ratio to Silero', cost.gate / cost.silero, {
  details: `per hour of sound: gate ${ofHour(cost.gate)}, Silero ${ofHour(cost.silero)}`,
});
bench.end();
