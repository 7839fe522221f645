import type { Levels } from './levels.ts';

const meanings: readonly (readonly [kind: string, text: string])[] = [
  ['here', 'Here'],
  ['away', 'On the device'],
  ['asked', 'Upload asked for'],
  ['failed', 'Upload failed'],
  ['missing', 'Not recorded'],
  ['captioned', 'Captioned'],
  ['mark', 'Tag'],
];
const level = ['level', 'Level of the sound'] as const;

export function Legend({ levels }: { readonly levels: Levels }) {
  return (
    <ul class="legend" aria-label="What the colours mean">
      {[...meanings, ...(levels.areShown.value ? [level] : [])].map(([kind, text]) => (
        <li key={kind}>
          <span class={`swatch ${kind}`} aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  );
}
