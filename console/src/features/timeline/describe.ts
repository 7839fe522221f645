import { dayAndTime, timeText } from '../../lib/ui/clock.ts';
import { durationText } from '@earshot/contract/duration-text';
import { clipStateOf } from '../audio-clip/public.ts';
import { gapText } from './continuous.ts';
import type { LaneData } from './lane-data.ts';
import { isCaptioned, laneStatus } from './lane-data.ts';

export interface Under {
  readonly when: string;
  readonly what: string;
  /** The clip at that time. */
  readonly clip: number | undefined;
}

const mostNames = 5;

/** Describes what the timeline shows at a time. */
export function describe(data: LaneData, time: number, zone: string): Under {
  const when = dayAndTime(time, zone);
  const index = data.at(time);
  if (index === undefined) {
    return { when, what: time > Date.now() ? 'In the future' : gapText(data.isContinuous), clip: undefined };
  }
  const start = data.starts[index]!;
  const end = data.ends[index]!;
  const flags = data.flags[index]!;
  const clip = data.keys[index]!;
  const names = [...new Set(data.marks.filter((mark) => mark.clip === clip).map(({ name }) => name))];
  const parts = [
    clipStateOf({ audioClipStatus: laneStatus(flags) }).text,
    `${durationText(end - start)} clip from ${timeText(start, zone, true)}`,
    ...(isCaptioned(flags) ? ['transcribed'] : []),
    ...(names.length > 0
      ? [`tags: ${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? '…' : ''}`]
      : []),
  ];
  return { when, what: parts.join(', '), clip };
}
