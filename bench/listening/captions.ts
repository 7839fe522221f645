import { createWordAligner } from '@earshot/server/platform/listening/embedded-engine';
import type { WordAligner } from '@earshot/server/platform/listening/engine';
import type { ModelStore } from '@earshot/server/platform/listening/models/model-store';
import { silentLog } from '@earshot/server/testing/log';
import { conditionOf } from './conditions.ts';
import type { Clip } from './corpus.ts';
import { esc50Folder, makeVoiceless, pickEvenly, readEnvironment } from './corpus.ts';
import type { EnginesOfProfile } from './engines.ts';
import { openProfile } from './engines.ts';
import { speakTimed } from './festival.ts';
import type { Judge, ProfileName } from './goals.ts';
import { halfOf } from './halves.ts';
import type { Listener } from './listener.ts';
import type { Options } from './options.ts';
import { measureForeign, measureInvented } from './other-sound.ts';
import { peakMemoryMB } from './process-use.ts';
import { quantile } from './scoring.ts';
import type { SpeechFigures, SpokenClip } from './speech.ts';
import { addClip, measureSpeech, noFigures, timeWords } from './speech.ts';
import type { SpeechRow } from './table.ts';
import { errorShare, foreignLine, inventedLine, percent, speechLine, speechTable } from './table.ts';

export interface CaptionBench {
  readonly models: ModelStore;
  readonly clips: readonly Clip[];
  readonly options: Options;
  readonly print: (line: string) => void;
  readonly progress: (line: string) => void;
  readonly judge: Judge;
}

/** Measures each profile in each condition and prints one table for each profile. */
export async function measureCaptions(bench: CaptionBench): Promise<void> {
  const { models, clips, options, progress } = bench;
  const groups = new Set(options.conditions.map((name) => conditionOf(name).group ?? 'native'));
  // So many clips of each group in each half.
  const english = [...groups].flatMap((group) =>
    options.halves.flatMap((half) =>
      pickEvenly(
        clips.filter((clip) => clip.language === 'en' && clip.group === group && halfOf(clip.source) === half),
        options.mostClips,
      ),
    ),
  );
  if (options.conditions.length > 0) progress(`finding the times of the words of ${english.length} clips`);
  const spoken = options.conditions.length > 0 ? await timeAll(english, models) : [];
  for (const profile of options.profiles) await measureProfile(bench, profile, spoken);
}

async function timeAll(clips: readonly Clip[], models: ModelStore): Promise<SpokenClip[]> {
  const aligner: WordAligner = createWordAligner({ models, log: silentLog });
  try {
    const spoken: SpokenClip[] = [];
    for (const clip of clips) spoken.push(await timeWords(clip, aligner));
    return spoken;
  } finally {
    await aligner.close();
  }
}

async function measureProfile(bench: CaptionBench, profile: ProfileName, spoken: readonly SpokenClip[]): Promise<void> {
  const { models, options, print, progress } = bench;
  const judge: Judge = (figureName, figure) => bench.judge(`${profile}, ${figureName}`, figure);
  const engines = await openProfile(profile, models, options);
  const show = (line: string) => {
    if (options.shows) progress(line);
  };
  try {
    const rows = await measureConditions(bench, profile, engines, spoken, show);
    print(`### ${profile}`);
    print('');
    for (const { title, engine } of engines.all) {
      print(`- ${title}: ${engine.identity.name} ${engine.identity.version}`);
    }
    print('');
    if (rows.length > 0) {
      for (const line of speechTable(rows)) print(line);
      print('');
      for (const line of summaryLines(rows)) print(line);
      judgeSpeech(rows, judge);
    }
    for (const line of await measureSets({ ...bench, judge }, engines, show)) print(line);
    for (const { title, engine } of engines.all) {
      const most = Math.max(0, ...engine.pids.map(peakMemoryMB));
      print(`- memory of the process, ${title}: at most ${most.toFixed(0)} MB`);
    }
    print('');
  } finally {
    await engines.close();
  }
}

async function measureConditions(
  { options, progress }: CaptionBench,
  profile: ProfileName,
  engines: EnginesOfProfile,
  spoken: readonly SpokenClip[],
  show: (line: string) => void,
): Promise<SpeechRow[]> {
  const rows: SpeechRow[] = [];
  for (const condition of options.conditions) {
    const { group = 'native', isRadio = false } = conditionOf(condition);
    const measured = group !== 'native' ? engines.accents : isRadio ? engines.radio : engines.usual;
    for (const half of options.halves) {
      progress(`${profile}: ${condition}, ${half}`);
      const clips = spoken.filter((clip) => clip.group === group && halfOf(clip.source) === half);
      const listeners = measured.map(({ listener }) => listener);
      const figures = await measureSpeech(listeners, clips, condition, show);
      for (const [at, { title }] of measured.entries()) {
        const row = { condition, half, engine: title, figures: figures[at]! };
        rows.push(row);
        // The table is printed at the end; a run that is stopped before has its lines here.
        progress(speechLine(row).join(' | '));
      }
    }
  }
  return rows;
}

/** Everything but the figures of another checkout. */
const ofThisCheckout = (rows: readonly SpeechRow[]) => rows.filter(({ engine }) => engine !== 'before');

/** English clips, and those that are taken for foreign, in all conditions. */
function countForeign(rows: readonly SpeechRow[]): { readonly called: number; readonly clips: number } {
  const sum = (of: (figures: SpeechFigures) => number) => rows.reduce((total, { figures }) => total + of(figures), 0);
  return { called: sum(({ calledForeign }) => calledForeign), clips: sum((figures) => figures.clips) };
}

/** The figures of both halves together. */
function sumOf(rows: readonly SpeechRow[]): SpeechFigures {
  const sum = noFigures();
  for (const { figures } of rows) {
    for (const key of ['clips', 'said', 'substituted', 'inserted', 'missed'] as const) sum[key] += figures[key];
    const { soundSeconds, cpuSeconds } = figures.use;
    sum.use = { soundSeconds: sum.use.soundSeconds + soundSeconds, cpuSeconds: sum.use.cpuSeconds + cpuSeconds };
  }
  return sum;
}

const speedOf = ({ use }: SpeechFigures): number => use.soundSeconds / use.cpuSeconds;

function summaryLines(rows: readonly SpeechRow[]): string[] {
  const native = ofThisCheckout(rows).filter(({ condition }) => conditionOf(condition).group === undefined);
  const { called, clips } = countForeign(native);
  const clean = native.filter(({ condition }) => condition === 'clean');
  return [
    `- English of native speakers taken for foreign, all conditions: ${percent(called, clips)} of ${clips} clips`,
    ...(clean.length > 0
      ? [`- clean speech: ${speedOf(sumOf(clean)).toFixed(1)} seconds of sound per CPU second`]
      : []),
  ];
}

function judgeSpeech(rows: readonly SpeechRow[], judge: Judge): void {
  const own = ofThisCheckout(rows);
  for (const condition of new Set(own.map((row) => row.condition))) {
    const first = own.find((row) => row.condition === condition);
    const figures = sumOf(own.filter((row) => row.condition === condition && row.engine === first?.engine));
    judge(`word errors, ${condition}`, 100 * errorShare(figures));
    if (condition === 'clean') judge('seconds of clean speech per CPU second', speedOf(figures));
  }
  const { called, clips } = countForeign(own.filter(({ condition }) => conditionOf(condition).group === undefined));
  judge('English taken for foreign', (100 * called) / clips);
  judgeAgainst(rows, judge);
}

/** By how much fewer words are wrong than with the other checkout, in the half that nothing is tuned on. */
function judgeAgainst(rows: readonly SpeechRow[], judge: Judge): void {
  const heldOut = rows.filter(({ half }) => half === 'held-out');
  for (const before of heldOut.filter(({ engine }) => engine === 'before')) {
    const now = heldOut.find(({ engine, condition }) => engine !== 'before' && condition === before.condition);
    if (!now || before.figures.said === 0) continue;
    const [share, shareNow] = [errorShare(before.figures), errorShare(now.figures)];
    judge(`fewer word errors than before, ${before.condition}`, (100 * (share - shareNow)) / share);
  }
}

/** Foreign speech, sounds without speech and a synthetic voice, each if it was chosen and is there. */
async function measureSets(
  bench: CaptionBench,
  engines: EnginesOfProfile,
  show: (line: string) => void,
): Promise<string[]> {
  const lines: string[] = [];
  for (const { title, listener } of engines.all) {
    const isUsual = title === 'now';
    const judge: Judge = isUsual ? bench.judge : () => {};
    const ofEngine = await measureSetsWith({ ...bench, judge }, listener, show);
    lines.push(...ofEngine.map((line) => (engines.all.length > 1 ? `${line} (${title})` : line)));
  }
  return lines;
}

async function measureSetsWith(
  { clips, options, progress, judge }: CaptionBench,
  listener: Listener,
  show: (line: string) => void,
): Promise<string[]> {
  const lines: string[] = [];
  const foreign = clips.filter(({ language }) => language !== 'en' && language !== 'none');
  if (options.sets.includes('foreign') && foreign.length > 0) {
    progress('foreign speech');
    const figures = await measureForeign(listener, pickEvenly(foreign, options.mostClips), show);
    lines.push(foreignLine(figures));
    judge('foreign speech recognised as foreign', (100 * figures.found) / figures.clips);
  }
  if (options.sets.includes('sounds')) {
    progress('sounds without speech');
    const made = await measureInvented(listener, makeVoiceless(), show);
    lines.push(inventedLine('silence, noise and tones', made));
    judge('words per hour of silence, noise and tones', made.words / made.hours);
    if (esc50Folder !== undefined) {
      const [voices, others] = [true, false].map((isVoice) => readEnvironment(esc50Folder!, isVoice)) as [
        Clip[],
        Clip[],
      ];
      const voiceClips = pickEvenly(voices, Math.ceil(options.mostSounds / 8));
      const otherClips = pickEvenly(others, options.mostSounds - voiceClips.length);
      const heard = await measureInvented(listener, otherClips, show);
      lines.push(inventedLine('ESC-50 without human voices', heard));
      judge('words per hour of ESC-50 without human voices', heard.words / heard.hours);
      const cries = await measureInvented(listener, voiceClips, show);
      lines.push(inventedLine('ESC-50, human voices without words', cries));
    }
  }
  if (options.sets.includes('times')) lines.push(...(await measureKnownTimes(listener, judge)));
  return lines;
}

/** Word times compared with those of a synthetic voice, which are exact. */
async function measureKnownTimes(listener: Listener, judge: Judge): Promise<string[]> {
  const timed = speakTimed();
  if (!timed) return [];
  const figures = noFigures();
  for (const { samples, words } of timed) {
    addClip(figures, { name: 'synthetic voice', said: words }, await listener.caption(samples), () => {});
  }
  const [median, high] = [0.5, 0.95].map((part) => quantile(figures.startErrorsMs, part)) as [number, number];
  judge('median error of the start of a word', median);
  return [
    `- word starts of a synthetic voice, ${figures.startErrorsMs.length} of ${figures.said} words: median ${median.toFixed(0)} ms, p95 ${high.toFixed(0)} ms`,
  ];
}
