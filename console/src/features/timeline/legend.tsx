import type { Lane } from './lane.ts';
import type { Levels } from './levels.ts';

const available = [
  ['here', 'Available'],
  ['away', 'On the device'],
  ['asked', 'Upload requested'],
  ['failed', 'Upload failed'],
] as const;
const missing = ['missing', 'Not recorded'] as const;
const marks = [
  ['captioned', 'Transcribed'],
  ['mark', 'Tag'],
] as const;
const level = ['level', 'Audio level'] as const;

interface LegendProps {
  readonly levels: Levels;
  readonly lanes: readonly Lane[];
}

export function Legend({ levels, lanes }: LegendProps) {
  const hasGaps = lanes.some(({ data, state }) => state.value.version >= 0 && data.isContinuous);
  const meanings = [...available, ...(hasGaps ? [missing] : []), ...marks, ...(levels.areShown.value ? [level] : [])];
  return (
    <ul class="legend" aria-label="Legend">
      {meanings.map(([kind, text]) => (
        <li key={kind}>
          <span class={`swatch ${kind}`} aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}
