import { pageKeys } from '../lib/page-keys.ts';
import { Dialog } from '../lib/ui/dialog.tsx';
import { goTo, showsShortcuts } from './shortcuts.ts';

const others: readonly (readonly [keys: string, meaning: string])[] = [
  ['Ctrl K', 'Go to a device, a clip or a page, or do something (⌘ K on a Mac)'],
  ['/', 'Search transcripts'],
  ['f', 'Filter the list on this page'],
  ['u', 'Undo the last action'],
  ['?', 'Show keyboard shortcuts'],
  ['Esc', 'Close the dialog'],
];

export function ShortcutsDialog() {
  if (!showsShortcuts.value) return null;
  const moving = Object.entries(goTo).map(([key, [, name]]) => [`g ${key}`, `Go to ${name}`] as const);
  return (
    <Dialog title="Keyboard shortcuts" onClose={() => (showsShortcuts.value = false)}>
      <dl class="shortcuts">
        {[...pageKeys.value, ...others, ...moving].map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
