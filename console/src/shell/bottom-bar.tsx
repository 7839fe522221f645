import { useEffect, useState } from 'preact/hooks';
import { BellButton } from '../features/bell/public.tsx';
import { currentLocation } from '../lib/location.ts';
import { Dialog } from '../lib/ui/dialog.tsx';
import { Icon } from '../lib/ui/icon.tsx';
import { bottomPlaces, endPlaces, placeGroups } from './places.ts';
import { isCurrent, NavGroup, NavLink, SearchBox } from './side-bar.tsx';

/** The five places of a phone: what people do there. Everything else is one press away. */
export function BottomBar() {
  const [more, setMore] = useState(false);
  const { path } = currentLocation.value;
  useEffect(() => setMore(false), [path]);
  const groups = [...placeGroups(), { label: 'Settings and help', places: endPlaces }];
  const isShown = bottomPlaces.some(({ href }) => isCurrent(href, path));
  const isBehind = !isShown && groups.some(({ places }) => places.some(({ href }) => isCurrent(href, path)));
  return (
    <nav class="bottom" aria-label="Main pages">
      {bottomPlaces.map((place) => (
        <NavLink key={place.href} {...place} />
      ))}
      <BellButton />
      <button
        class="nav-link"
        type="button"
        aria-haspopup="dialog"
        aria-current={isBehind ? 'true' : undefined}
        onClick={() => setMore(true)}
      >
        <Icon name="menu" />
        <span>More</span>
      </button>
      {more && (
        <Dialog title="More" onClose={() => setMore(false)}>
          <div class="sheet-links">
            <SearchBox />
            {groups.map((group) => (
              <NavGroup key={group.label} {...group} />
            ))}
          </div>
        </Dialog>
      )}
    </nav>
  );
}
