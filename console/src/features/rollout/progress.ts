import type { Rollout, RolloutDeviceState, RolloutState } from '@earshot/contract/rollout';
import type { Tone } from '../../lib/ui/elements.tsx';

export const stateTexts: Readonly<Record<RolloutState, { readonly text: string; readonly tone: Tone }>> = {
  running: { text: 'Running', tone: 'busy' },
  stopped: { text: 'Stopped', tone: 'bad' },
  done: { text: 'Done', tone: 'good' },
  takingBack: { text: 'Taking back', tone: 'busy' },
  takenBack: { text: 'Taken back', tone: 'idle' },
};

export const deviceTexts: Readonly<Record<RolloutDeviceState, { readonly text: string; readonly tone: Tone }>> = {
  waiting: { text: 'Waiting', tone: 'idle' },
  sent: { text: 'Updating', tone: 'busy' },
  done: { text: 'Updated', tone: 'good' },
  failed: { text: 'Failed', tone: 'bad' },
  skipped: { text: 'Not in contact', tone: 'idle' },
  backSent: { text: 'Going back', tone: 'busy' },
  backDone: { text: 'Back', tone: 'good' },
  backFailed: { text: 'Not taken back', tone: 'bad' },
};

export interface StageProgress {
  readonly stage: number;
  readonly total: number;
  /** Devices whose update has ended, in whichever way. */
  readonly ended: number;
  readonly failed: number;
}

const ended: readonly RolloutDeviceState[] = ['done', 'failed', 'skipped', 'backDone', 'backFailed'];
const failed: readonly RolloutDeviceState[] = ['failed', 'backFailed'];

export function progressOf({ counts }: Pick<Rollout, 'counts'>): readonly StageProgress[] {
  const stages = [...new Set(counts.map(({ stage }) => stage))].toSorted((one, other) => one - other);
  return stages.map((stage) => {
    const own = counts.filter((count) => count.stage === stage);
    const sum = (states?: readonly RolloutDeviceState[]) =>
      own.reduce((total, { deviceState, count }) => total + (!states || states.includes(deviceState) ? count : 0), 0);
    return { stage, total: sum(), ended: sum(ended), failed: sum(failed) };
  });
}

/** Whether something changes without a person. */
export const isActive = ({ rolloutState }: Pick<Rollout, 'rolloutState'>): boolean =>
  rolloutState === 'running' || rolloutState === 'takingBack';
