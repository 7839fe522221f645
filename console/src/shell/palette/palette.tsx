import { searchTextLength } from '@earshot/contract/values';
import type { ComponentType } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { navigate } from '../../lib/location.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import type { PaletteListProps } from './palette-list.tsx';
import { closePalette, paletteMode } from './palette-state.ts';

export function Palette() {
  return paletteMode.value === undefined ? null : <OpenPalette />;
}

/** The field is there at once, so that no key is lost; the list and its code are loaded after it. */
function OpenPalette() {
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [loaded, setLoaded] = useState<{ readonly list: ComponentType<PaletteListProps> }>();
  useLayoutEffect(() => input.current?.focus(), []);
  useEffect(() => {
    import('./palette-list.tsx').then(
      ({ PaletteList }) => setLoaded({ list: PaletteList }),
      () => {
        // Offline: Enter still searches.
      },
    );
  }, []);
  const search = (event: Event) => {
    event.preventDefault();
    const typed = input.current?.value.trim() ?? '';
    closePalette();
    navigate(typed === '' ? '/search' : `/search?q=${encodeURIComponent(typed)}`);
  };
  const List = loaded?.list;
  return (
    <Dialog title="Search or go to" look="palette" onClose={closePalette}>
      <form class="search palette-field" onSubmit={search}>
        <Icon name="search" />
        <input
          ref={input}
          class="input"
          role="combobox"
          aria-expanded={List !== undefined}
          aria-autocomplete="list"
          aria-label="Search or go to"
          placeholder="Words, a device, a page…"
          maxLength={searchTextLength}
          dir="auto"
          autoComplete="off"
          spellcheck={false}
          enterKeyHint="go"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <kbd aria-hidden="true">Esc</kbd>
      </form>
      {List && <List text={text.trim()} input={input} mode={paletteMode.value ?? 'go'} />}
    </Dialog>
  );
}
