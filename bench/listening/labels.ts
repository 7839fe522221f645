import { readFileSync } from 'node:fs';
import { createLabelEngine, ownWeights } from '@earshot/server/platform/listening/label-engine';
import { loadSoundEncoder } from '@earshot/server/platform/listening/labels/encoder';
import { readDataset } from '@earshot/server/platform/listening/labels/training/dataset';
import { gatherExamples } from '@earshot/server/platform/listening/labels/training/examples';
import { holdOut } from '@earshot/server/platform/listening/labels/training/held-out';
import type { HeldOutFigures, WeightFile } from '@earshot/server/platform/listening/labels/weights';
import { moonshineModel } from '@earshot/server/platform/listening/models/declaration';
import type { ModelStore } from '@earshot/server/platform/listening/models/model-store';
import { silentLog } from '@earshot/server/testing/log';
import { asSound } from '@earshot/server/testing/speech';
import type { Clip } from './corpus.ts';
import { esc50Folder } from './corpus.ts';
import { cpuSeconds, peakMemoryMB, referenceSeconds } from './process-use.ts';

const leastPrecision = 0.85;
const never = new AbortController().signal;

export interface LabelBench {
  readonly models: ModelStore;
  readonly clips: readonly Clip[];
  readonly voiceless: readonly Clip[];
  readonly print: (line: string) => void;
  readonly progress: (line: string) => void;
  readonly judge: (isGood: boolean) => string;
}

/** Accuracy on held-out sounds, false labels, speed and memory. */
export async function measureLabels({ models, clips, voiceless, print, judge }: LabelBench): Promise<void> {
  const spoken = clips.filter(({ language }) => language !== 'none');
  const [figures, from] = await heldOutFigures(models);
  const { accuracy, topThree, precisionAt50, recallAt50 } = figures;
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const plain = `right ${percent(accuracy)}, among the first three ${percent(topThree)}`;
  const sure = `labels with a confidence of 50 or more: precision ${percent(precisionAt50)}, recall ${percent(recallAt50)}`;
  print(
    `labels  held-out sounds (${from}): ${plain}; ${sure}  (goal precision ${percent(leastPrecision)}, ${judge(precisionAt50 >= leastPrecision)})`,
  );

  const engine = createLabelEngine({ models, atOnce: 1 }, silentLog);
  try {
    await engine.prepare(never);
    const [pid] = engine.pids;
    const before = cpuSeconds(pid!);
    let soundSeconds = 0;
    let reference = 0;
    const listen = async ({ read }: Clip) => {
      const samples = read();
      soundSeconds += samples.length / 16_000;
      reference += referenceSeconds(samples);
      return (await engine.label(asSound(samples), { signal: never })).labels;
    };
    let missed = 0;
    const untrue: string[] = [];
    for (const clip of spoken) {
      const names = new Set((await listen(clip)).map(({ name }) => name));
      if (!names.delete('speech')) missed += 1;
      for (const known of ['silence', 'loud', 'clipping', 'tone']) names.delete(known);
      untrue.push(...names);
    }
    const invented = untrue.length > 0 ? ` (${untrue.join(', ')})` : '';
    print(
      `labels  speech: not recognised as such in ${missed} of ${spoken.length} clips; other labels there: ${untrue.length}${invented}`,
    );
    for (const clip of voiceless) {
      const heard = (await listen(clip)).map(({ name, confidence, startMs, endMs }) => {
        return `${name} ${confidence} (${(startMs / 1_000).toFixed(1)} to ${(endMs / 1_000).toFixed(1)} s)`;
      });
      print(`labels  ${clip.name}: ${heard.join(', ') || 'nothing'}`);
    }
    const cpu = cpuSeconds(pid!) - before;
    const relative = `${(cpu / reference).toFixed(2)} times the CPU time of plain Fourier sums over the same sound`;
    print(`labels  ${(soundSeconds / cpu).toFixed(1)} seconds of sound per CPU second; ${relative}`);
    print(`labels  at most ${peakMemoryMB(pid!).toFixed(0)} MB`);
  } finally {
    await engine.close();
  }
}

/** Measured again if there is a dataset; otherwise the figures in the file of weights. */
async function heldOutFigures(models: ModelStore): Promise<[HeldOutFigures, string]> {
  if (esc50Folder === undefined) {
    const { heldOut } = JSON.parse(readFileSync(ownWeights, 'utf8')) as WeightFile;
    return [heldOut, 'from the file of weights; BENCH_ESC50=<folder of ESC-50> measures again'];
  }
  const encode = await loadSoundEncoder(await models.provide(moonshineModel, never));
  const set = await gatherExamples(readDataset(esc50Folder), encode, () => {});
  return [holdOut(set, () => {}).all, 'five folds of ESC-50, measured now'];
}
