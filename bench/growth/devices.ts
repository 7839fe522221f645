/** Bytes in tables and indexes for one record of each kind. */
export interface Costs {
  /** With `words` words. */
  readonly clip: number;
  readonly words: number;
  readonly silentClip: number;
  readonly call: number;
  /** Each further word of a clip. */
  readonly word: number;
  readonly event: number;
  readonly health: number;
  readonly line: number;
  readonly poll: number;
}

interface Day {
  readonly name: string;
  readonly clips: number;
  /** How many of the clips have speech, and how many words each of these has. */
  readonly spoken: number;
  readonly words: number;
  readonly isRadio: boolean;
  readonly soundSeconds: number;
  readonly events: number;
  readonly health: number;
  readonly lines: number;
}

const days: readonly Day[] = [
  {
    name: 'a quiet recorder',
    clips: 50,
    spoken: 25,
    words: 20,
    isRadio: false,
    soundSeconds: 50 * 30,
    events: 5,
    health: 96,
    lines: 100,
  },
  {
    name: 'a busy radio channel',
    clips: 3_000,
    spoken: 3_000,
    words: 20,
    isRadio: true,
    soundSeconds: 3_000 * 8,
    events: 0,
    health: 0,
    lines: 0,
  },
  {
    name: 'a microphone all day',
    clips: 288,
    spoken: 96,
    words: 150,
    isRadio: false,
    soundSeconds: 86_400,
    events: 20,
    health: 1_440,
    lines: 1_000,
  },
];

export interface DeviceGrowth {
  readonly name: string;
  readonly day: string;
  /** Bytes a day that stay until somebody deletes them. */
  readonly kept: number;
  /** Bytes a day that a retention setting removes. */
  readonly passing: number;
  readonly sounds: string;
}

export const devicesOf = (costs: Costs, sound: ReadonlyMap<string, number>): readonly DeviceGrowth[] =>
  days.map((day) => {
    const spoken = (day.isRadio ? costs.call : costs.clip) + (day.words - costs.words) * costs.word;
    const kept = day.spoken * spoken + (day.clips - day.spoken) * costs.silentClip + day.events * costs.event;
    const passing = day.health * costs.health + day.lines * costs.line;
    const sounds = [...sound]
      .map(
        ([name, bytes]) =>
          `${name.split(',')[0]} ${Math.round((bytes * day.soundSeconds) / 1e6).toLocaleString('en')} MB`,
      )
      .join(', ');
    const speech =
      day.spoken === day.clips ? `${day.words} words each` : `${day.spoken} of them with ${day.words} words`;
    const others = [
      ...(day.events > 0 ? [`${day.events} events`] : []),
      ...(day.health > 0 ? [`${day.health.toLocaleString('en')} health reports`] : []),
      ...(day.lines > 0 ? [`${day.lines.toLocaleString('en')} log lines`] : []),
    ];
    const what = `${day.clips.toLocaleString('en')} clips of ${day.soundSeconds / day.clips} s, ${speech}`;
    return { name: day.name, day: [what, ...others].join(', '), kept, passing, sounds };
  });
