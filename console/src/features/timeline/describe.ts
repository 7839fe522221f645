import { lengthText } from '../audio-clip/data.ts';
import { clipStateOf } from '../audio-clip/state.ts';
import { dayAndTime, timeText } from '../../ui/clock.ts';
import { isCaptioned, type LaneData, statusOf } from './lane-data.ts';

export interface Under {
  readonly when: string;
  readonly what: string;
  /** The clip that is heard then. */
  readonly clip: number | undefined;
}

const mostNames = 5;

/** What is at a time, in words. */
export function describe(data: LaneData, time: number, zone: string): Under {
  const when = dayAndTime(time, zone);
  const index = data.at(time);
  if (index === undefined) {
    return { when, what: time > Date.now() ? 'Not yet' : 'Nothing recorded', clip: undefined };
  }
  const start = data.starts[index]!;
  const end = data.ends[index]!;
  const flags = data.flags[index]!;
  const clip = data.keys[index]!;
  const names = [...new Set(data.marks.filter((mark) => mark.clip === clip).map(({ name }) => name))];
  const parts = [
    clipStateOf({ audioClipStatus: statusOf(flags) }).text,
    `clip of ${lengthText(Math.round((end - start) / 1_000))} min from ${timeText(start, zone, true)}`,
    ...(isCaptioned(flags) ? ['captioned'] : []),
    ...(names.length > 0
      ? [`tags: ${names.slice(0, mostNames).join(', ')}${names.length > mostNames ? '…' : ''}`]
      : []),
  ];
  return { when, what: parts.join(', '), clip };
}

/** How long, for people: 2 h 5 min. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 === 0 || minutes >= 10 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`;
  const hours = Math.floor(minutes / 60);
  if (hours >= 48) return `${Math.floor(hours / 24)} d ${hours % 24} h`;
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
}
