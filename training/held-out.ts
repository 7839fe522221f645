import { createClassifier, softmax } from '@earshot/server/platform/listening/labels/classifier';
import type { HeldOutFigures } from '@earshot/server/platform/listening/labels/weights';
import { noSound } from '@earshot/server/platform/listening/labels/sound-names';
import type { Example, ExampleSet } from './examples.ts';
import { foldCount } from './folds.ts';
import { likeliest, train } from './train.ts';

export interface SoundFigures {
  readonly name: string;
  readonly clips: number;
  readonly precision: number;
  readonly recall: number;
  readonly precisionAt50: number;
  readonly recallAt50: number;
}

export interface HeldOut {
  readonly folds: readonly HeldOutFigures[];
  readonly all: HeldOutFigures;
  readonly perSound: readonly SoundFigures[];
  /** The temperature at which probabilities best match how often the classifier is right. */
  readonly temperature: number;
}

/** A held-out example with the probability of each sound. */
interface Judged extends Pick<Example, 'sound' | 'fold'> {
  readonly shares: Float64Array;
}

/** Each fold is classified with weights trained on the other folds. */
export function holdOut({ examples, sounds }: ExampleSet, onProgress: (fold: number) => void): HeldOut {
  const raw: Judged[] = [];
  for (let fold = 1; fold <= foldCount; fold++) {
    onProgress(fold);
    const others = examples.filter((example) => example.fold !== fold);
    const classify = createClassifier(train(others, sounds, 1));
    for (const example of examples.filter((one) => one.fold === fold)) {
      raw.push({ sound: example.sound, fold, shares: classify(example.features) });
    }
  }
  const temperature = fitTemperature(raw);
  const judged = raw.map((one) => ({ ...one, shares: heat(one.shares, temperature) }));
  const isNamed = (sound: number) => sounds[sound] !== noSound;
  const folds = Array.from({ length: foldCount }, (_, at) => judged.filter(({ fold }) => fold === at + 1));
  return {
    folds: folds.map((fold) => summarise(fold, isNamed)),
    all: summarise(judged, isNamed),
    perSound: sounds.flatMap((name, sound) => (isNamed(sound) ? [describeSound(judged, name, sound)] : [])),
    temperature,
  };
}

const heat = (shares: Float64Array, temperature: number) =>
  softmax(
    shares.map((share) => Math.log(Math.max(share, 1e-12))),
    temperature,
  );

function fitTemperature(judged: readonly Judged[]): number {
  const surprise = (temperature: number) =>
    judged.reduce((sum, { shares, sound }) => sum - Math.log(Math.max(heat(shares, temperature)[sound]!, 1e-12)), 0);
  const candidates = Array.from({ length: 136 }, (_, at) => (at + 15) / 50);
  return candidates.reduce((best, candidate) => (surprise(candidate) < surprise(best) ? candidate : best));
}

const isSure = ({ shares }: Judged) => Math.max(...shares) >= 0.5;
const ratio = (part: number, whole: number) => (whole > 0 ? Math.round((10_000 * part) / whole) / 10_000 : 0);

function summarise(judged: readonly Judged[], isNamed: (sound: number) => boolean): HeldOutFigures {
  const clips = judged.filter(({ sound }) => isNamed(sound));
  const others = judged.filter(({ sound }) => !isNamed(sound));
  const isRight = ({ sound, shares }: Judged) => likeliest(shares) === sound;
  const isReported = (one: Judged) => isSure(one) && isNamed(likeliest(one.shares));
  const named = clips.filter(isReported);
  const inTopThree = ({ sound, shares }: Judged) => shares.filter((share) => share > shares[sound]!).length < 3;
  return {
    accuracy: ratio(clips.filter(isRight).length, clips.length),
    topThree: ratio(clips.filter(inTopThree).length, clips.length),
    precisionAt50: ratio(named.filter(isRight).length, named.length),
    recallAt50: ratio(named.filter(isRight).length, clips.length),
    falseAlarmsAt50: ratio(others.filter(isReported).length, others.length),
  };
}

function describeSound(judged: readonly Judged[], name: string, sound: number): SoundFigures {
  const own = judged.filter((one) => one.sound === sound);
  const called = judged.filter(({ shares }) => likeliest(shares) === sound);
  const right = called.filter((one) => one.sound === sound);
  return {
    name,
    clips: own.length,
    precision: ratio(right.length, called.length),
    recall: ratio(right.length, own.length),
    precisionAt50: ratio(right.filter(isSure).length, called.filter(isSure).length),
    recallAt50: ratio(right.filter(isSure).length, own.length),
  };
}
