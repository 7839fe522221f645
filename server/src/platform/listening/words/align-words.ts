import type { Aligner } from '../embedded/aligner.ts';
import { prepareWindows } from '../embedded/detector-input.ts';
import type { Speech } from '../embedded/gate.ts';
import { createGate } from '../embedded/gate.ts';
import type { JudgeWindow } from '../embedded/voice-detector.ts';
import { inWindows } from '../embedded/windows.ts';
import type { GivenWord, Sound, Word } from '../engine.ts';
import { sampleRate } from '../engine.ts';
import type { ExpectedWord } from './given-words.ts';
import { expectWords, sumUp } from './given-words.ts';
import type { SpeechGroup } from './speech-groups.ts';
import { addToGroups, groupEndMs, groupStartMs } from './speech-groups.ts';
import type { Timed } from './timed-words.ts';
import { inOrder, spread, timeGroupWords } from './timed-words.ts';

/*
 * Finds the times of given words. The clip is cut at pauses, stretches of speech are grouped up to a minute, and the
 * words of a group are matched with its sound. The previous times of words decide to which group they belong; a word
 * without a time belongs between its neighbours. Only the current group is in memory.
 *
 * A text without any times is distributed over all speech by its length. This needs all speech at once, which is kept
 * up to a limit; beyond it the words are only distributed, not matched.
 */

const stretchSeconds = 20;
const groupSeconds = 60;
const keptSeconds = 20 * 60;

export interface AlignmentModels {
  readonly judgeVoice: () => JudgeWindow;
  readonly aligner: Aligner;
}

export async function alignWords(
  { judgeVoice, aligner }: AlignmentModels,
  given: readonly GivenWord[],
  sound: Sound,
  signal: AbortSignal,
  onProgress: (doneMs: number) => void,
): Promise<readonly Word[]> {
  const words = expectWords(given);
  const isTimed = words.some(({ aboutMs }) => aboutMs !== undefined);
  const gate = createGate(judgeVoice(), stretchSeconds);
  const groups: SpeechGroup[] = [];
  const timed: Timed[] = [];
  const speaking = { startMs: 0, endMs: 0, samples: 0 };
  let samples = 0;

  const settle = async (group: SpeechGroup, mine: readonly ExpectedWord[]) => {
    // The alignment blocks this process; this lets it receive a cancellation.
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    timed.push(...timeGroupWords(aligner, group, mine));
    onProgress(groupEndMs(group));
  };
  const wordsUntil = (ms: number) => {
    const rest = words.slice(timed.length);
    const count = rest.findIndex(({ aboutMs }) => aboutMs! >= ms);
    return count < 0 ? rest : rest.slice(0, count);
  };
  const addSpeech = async (speech: Speech) => {
    addToGroups(groups, speech, groupSeconds);
    if (speaking.samples === 0) speaking.startMs = groupStartMs(groups[0]!);
    speaking.endMs = groupEndMs(groups.at(-1)!);
    speaking.samples += speech.samples.length;
    if (!isTimed && speaking.samples > keptSeconds * sampleRate) groups.length = 0;
    if (!isTimed) return;
    while (groups.length > 1) {
      const [group, next] = groups as [SpeechGroup, SpeechGroup];
      await settle(group, wordsUntil((groupEndMs(group) + groupStartMs(next)) / 2));
      groups.shift();
    }
  };

  const windows = inWindows(sound, (count) => (samples += count));
  for await (const { window, prepared } of prepareWindows(windows)) {
    signal.throwIfAborted();
    const speech = await gate.push(window, prepared);
    if (speech) await addSpeech(speech);
  }
  for (const speech of gate.end()) await addSpeech(speech);
  const isKept = isTimed || speaking.samples <= keptSeconds * sampleRate;
  const shares = isTimed ? [words.slice(timed.length)] : assignToGroups(words, groups);
  if (isKept) for (const [at, group] of groups.entries()) await settle(group, shares[at] ?? []);

  const soundMs = Math.round((samples / sampleRate) * 1_000);
  const rest = words.slice(timed.length);
  const endMs = speaking.samples > 0 ? speaking.endMs : soundMs;
  return inOrder(words, [...timed, ...spread(rest, timed.at(-1)?.endMs ?? speaking.startMs, endMs)], soundMs);
}

/** Assigns words to groups by their lengths. */
function assignToGroups(words: readonly ExpectedWord[], groups: readonly SpeechGroup[]): ExpectedWord[][] {
  const sums = sumUp(words);
  const samples = groups.reduce((sum, group) => sum + group.samples, 0);
  const shares: ExpectedWord[][] = groups.map(() => []);
  let group = 0;
  let until = groups[0]?.samples ?? 0;
  for (const [at, word] of words.entries()) {
    const middle = ((sums[at]! + sums[at + 1]!) / 2 / sums.at(-1)!) * samples;
    while (middle > until && group < groups.length - 1) until += groups[++group]!.samples;
    shares[group]?.push(word);
  }
  return shares;
}
