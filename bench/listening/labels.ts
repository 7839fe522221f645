import { readFileSync } from 'node:fs';
import { createLabelEngine, ownWeights } from '@earshot/server/platform/listening/label-engine';
import type { WeightFile } from '@earshot/server/platform/listening/labels/weights';
import type { ModelStore } from '@earshot/server/platform/listening/models/model-store';
import { silentLog } from '@earshot/server/testing/log';
import { asSound } from '@earshot/server/testing/speech';
import { markdownTable } from '../markdown-table.ts';
import type { Clip } from './corpus.ts';
import { pickEvenly } from './corpus.ts';
import type { Judge } from './goals.ts';
import { cpuSeconds, peakMemoryMB, referenceSeconds } from './process-use.ts';
import { percent } from './table.ts';

const never = new AbortController().signal;
/** Measured on the signal, for any sound. */
const signalLabels = new Set(['speech', 'silence', 'loud', 'clipping', 'tone']);

export interface LabelBench {
  readonly models: ModelStore;
  readonly clips: readonly Clip[];
  readonly voiceless: readonly Clip[];
  /** Of speech. */
  readonly mostClips: number;
  readonly print: (line: string) => void;
  readonly progress: (line: string) => void;
  readonly judge: Judge;
}

/** The labels of sounds that were not used for training, grouped by what the sounds are. */
export interface OutsideFigures {
  readonly title: string;
  clips: number;
  right: number;
  wrong: number;
  clipsWithWrong: number;
}

/** Accuracy on held-out sounds, labels of sounds outside of the training, false labels, speed and memory. */
export async function measureLabels(bench: LabelBench): Promise<void> {
  const { models, clips, voiceless, mostClips, print, progress, judge } = bench;
  const { heldOut } = JSON.parse(readFileSync(ownWeights, 'utf8')) as WeightFile;
  const share = (value: number) => percent(value, 1);
  print('### labels');
  print('');
  print(
    `- held-out sounds of the training (figures of npm run train:labels): right ${share(heldOut.accuracy)}, among the first three ${share(heldOut.topThree)}; labels with a confidence of 50 or more: precision ${share(heldOut.precisionAt50)}, recall ${share(heldOut.recallAt50)}; sounds of no class with a label ${share(heldOut.falseAlarmsAt50)}`,
  );
  judge('labels, precision on held-out sounds of the training', 100 * heldOut.precisionAt50);
  const engine = createLabelEngine({ models, atOnce: 1 }, silentLog);
  try {
    await engine.prepare(never);
    const [pid] = engine.pids;
    const before = cpuSeconds(pid!);
    let soundSeconds = 0;
    let reference = 0;
    const label = async ({ read }: Clip) => {
      const samples = read();
      soundSeconds += samples.length / 16_000;
      reference += referenceSeconds(samples);
      const { labels } = await engine.label(asSound(samples), { signal: never });
      return new Set(labels.map(({ name }) => name));
    };

    progress('labels: speech');
    let missed = 0;
    const untrue: string[] = [];
    const spoken = pickEvenly(
      clips.filter(({ language }) => language !== 'none'),
      mostClips,
    );
    for (const clip of spoken) {
      const names = await label(clip);
      if (!names.has('speech')) missed += 1;
      untrue.push(...soundsOf(names));
    }
    print(
      `- ${spoken.length} clips of speech: not recognised as speech ${missed}; other labels there ${untrue.length}${inBrackets(untrue)}`,
    );
    for (const clip of voiceless) {
      const names = soundsOf(await label(clip));
      if (names.length > 0) print(`- ${clip.name}, made by code: ${names.join(', ')}`);
    }

    progress('labels: sounds outside of the training');
    const outside = [outsideOf('sounds with a label'), outsideOf('music'), outsideOf('other sounds')] as const;
    for (const clip of clips.filter(({ language }) => language === 'none')) {
      const [known, music, other] = outside;
      const group = clip.said === 'other' ? other : clip.said === 'music' ? music : known;
      addLabels(group, clip.said, soundsOf(await label(clip)));
    }
    if (outside.some((group) => group.clips > 0)) {
      for (const line of outsideLines(outside)) print(line);
      judge('labels, precision on sounds from other sources', 100 * precisionOf(outside));
    }

    const cpu = cpuSeconds(pid!) - before;
    const relative = `${(cpu / reference).toFixed(2)} times the CPU time of plain Fourier sums over the same sound`;
    print(`- ${(soundSeconds / cpu).toFixed(1)} seconds of sound per CPU second; ${relative}`);
    print(`- memory of the process: at most ${peakMemoryMB(pid!).toFixed(0)} MB`);
  } finally {
    await engine.close();
  }
}

const soundsOf = (names: ReadonlySet<string>): string[] => [...names].filter((name) => !signalLabels.has(name));
const inBrackets = (names: readonly string[]): string => (names.length > 0 ? ` (${names.join(', ')})` : '');

export const outsideOf = (title: string): OutsideFigures => ({
  title,
  clips: 0,
  right: 0,
  wrong: 0,
  clipsWithWrong: 0,
});

/** Several true names are separated by `|`; `other` is a sound that has no label. */
export function addLabels(figures: OutsideFigures, expected: string, reported: readonly string[]): void {
  const right = new Set(expected.split('|'));
  const wrong = reported.filter((name) => !right.has(name)).length;
  figures.clips += 1;
  figures.right += reported.length - wrong;
  figures.wrong += wrong;
  if (wrong > 0) figures.clipsWithWrong += 1;
}

/** The share of the reported labels that are right. */
export function precisionOf(groups: readonly OutsideFigures[]): number {
  const sum = (of: (group: OutsideFigures) => number) => groups.reduce((total, group) => total + of(group), 0);
  const [right, wrong] = [sum((group) => group.right), sum((group) => group.wrong)];
  return right / Math.max(1, right + wrong);
}

export function outsideLines(groups: readonly OutsideFigures[]): string[] {
  return [
    '',
    ...markdownTable(
      [
        'sounds from sources that were not trained on',
        'clips',
        'right labels',
        'wrong labels',
        'clips with a wrong label',
      ],
      groups.map((group) => [
        group.title,
        String(group.clips),
        String(group.right),
        String(group.wrong),
        `${group.clipsWithWrong} (${percent(group.clipsWithWrong, group.clips)})`,
      ]),
    ),
    '',
  ];
}
