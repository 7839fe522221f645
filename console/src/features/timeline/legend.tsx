import type { Levels } from './levels.ts';

const meanings: readonly (readonly [kind: string, text: string])[] = [
  ['here', 'Available'],
  ['away', 'On the device'],
  ['asked', 'Upload requested'],
  ['failed', 'Upload failed'],
  ['missing', 'Not recorded'],
  ['captioned', 'Transcribed'],
  ['mark', 'Tag'],
];
const level = ['level', 'Audio level'] as const;

export function Legend({ levels }: { readonly levels: Levels }) {
  return (
    <ul class="legend" aria-label="Legend">
      {[...meanings, ...(levels.areShown.value ? [level] : [])].map(([kind, text]) => (
        <li key={kind}>
          <span class={`swatch ${kind}`} aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}
