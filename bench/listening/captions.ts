import { createEmbeddedEngine, createWordAligner } from '@earshot/server/platform/listening/embedded-engine';
import type { WordAligner } from '@earshot/server/platform/listening/engine';
import type { ModelStore } from '@earshot/server/platform/listening/models/model-store';
import { silentLog } from '@earshot/server/testing/log';
import type { ConditionName } from './conditions.ts';
import type { Clip } from './corpus.ts';
import { esc50Folder, makeVoiceless, pickEvenly, readEnvironment } from './corpus.ts';
import { speakTimed } from './festival.ts';
import type { Judge, ProfileName } from './goals.ts';
import type { Listener } from './listener.ts';
import { createListener } from './listener.ts';
import type { Options } from './options.ts';
import { measureForeign, measureInvented } from './other-sound.ts';
import { peakMemoryMB } from './process-use.ts';
import { quantile } from './scoring.ts';
import type { SpeechFigures, SpokenClip } from './speech.ts';
import { addClip, measureSpeech, noFigures, timeWords } from './speech.ts';
import { errorShare, foreignLine, inventedLine, percent, speechLine, speechTable } from './table.ts';

export interface CaptionBench {
  readonly models: ModelStore;
  readonly clips: readonly Clip[];
  readonly options: Options;
  readonly print: (line: string) => void;
  readonly progress: (line: string) => void;
  readonly judge: Judge;
}

const never = new AbortController().signal;

/** Measures each profile in each condition and prints one table for each profile. */
export async function measureCaptions(bench: CaptionBench): Promise<void> {
  const { models, clips, options, progress } = bench;
  const english = pickEvenly(
    clips.filter(({ language }) => language === 'en'),
    options.mostClips,
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
  const engine = createEmbeddedEngine({ profile, models, log: silentLog, thirdListen: options.third });
  const show = (line: string) => {
    if (options.shows) progress(line);
  };
  try {
    await engine.prepare(never);
    const listener = createListener(engine);
    const rows = new Map<ConditionName, SpeechFigures>();
    for (const condition of options.conditions) {
      progress(`${profile}: ${condition}`);
      const figures = await measureSpeech(listener, spoken, condition, show);
      rows.set(condition, figures);
      // The table is printed at the end; a run that is stopped before has its lines here.
      progress(speechLine(condition, figures).join(' | '));
    }
    print(`### ${profile}: ${engine.identity.name} ${engine.identity.version}`);
    print('');
    if (rows.size > 0) {
      for (const line of speechTable(rows)) print(line);
      print('');
      for (const line of summaryLines(rows)) print(line);
      judgeSpeech(rows, judge);
    }
    for (const line of await measureSets({ ...bench, judge }, listener, show)) print(line);
    print(`- memory of the process: at most ${Math.max(...engine.pids.map(peakMemoryMB)).toFixed(0)} MB`);
    print('');
  } finally {
    await engine.close();
  }
}

type SpeechRows = ReadonlyMap<ConditionName, SpeechFigures>;

/** English clips, and those that are taken for foreign, in all conditions. */
function countForeign(rows: SpeechRows): { readonly called: number; readonly clips: number } {
  const all = [...rows.values()];
  const sum = (of: (figures: SpeechFigures) => number) => all.reduce((total, figures) => total + of(figures), 0);
  return { called: sum(({ calledForeign }) => calledForeign), clips: sum((figures) => figures.clips) };
}

const speedOf = ({ use }: SpeechFigures): number => use.soundSeconds / use.cpuSeconds;

function summaryLines(rows: SpeechRows): string[] {
  const { called, clips } = countForeign(rows);
  const clean = rows.get('clean');
  return [
    `- English taken for foreign, all conditions: ${percent(called, clips)} of ${clips} clips`,
    ...(clean ? [`- clean speech: ${speedOf(clean).toFixed(1)} seconds of sound per CPU second`] : []),
  ];
}

function judgeSpeech(rows: SpeechRows, judge: Judge): void {
  for (const [condition, figures] of rows) judge(`word errors, ${condition}`, 100 * errorShare(figures));
  const clean = rows.get('clean');
  if (clean) judge('seconds of clean speech per CPU second', speedOf(clean));
  const { called, clips } = countForeign(rows);
  judge('English taken for foreign', (100 * called) / clips);
}

/** Foreign speech, sounds without speech and a synthetic voice, each if it was chosen and is there. */
async function measureSets(
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
