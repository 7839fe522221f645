import { openAlertCount } from '../features/alert/public.ts';
import { BellButton } from '../features/bell/public.tsx';
import { waitingUploads } from '../features/upload/public.ts';
import { currentLocation } from '../lib/location.ts';
import { useQuery } from '../lib/query.ts';
import { signedInUser } from '../lib/session.ts';
import { Icon } from '../lib/ui/icon.tsx';
import { openPalette } from './palette/palette-state.ts';
import type { NavPlace, PlaceGroup } from './places.ts';
import { endPlaces, overviewPlace, placeGroups } from './places.ts';

export const isCurrent = (href: string, path: string): boolean => path === href || path.startsWith(`${href}/`);

export function NavLink({ href, label, icon }: NavPlace) {
  return (
    <a class="nav-link" href={href} aria-current={isCurrent(href, currentLocation.value.path) ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
      <NavBadge href={href} />
    </a>
  );
}

function NavBadge({ href }: Pick<NavPlace, 'href'>) {
  if (href === '/settings') return <Person />;
  if (href === '/alerts') return <AlertBadge />;
  if (href === '/upload' && waitingUploads.value > 0)
    return <Count of={waitingUploads.value} what="not uploaded yet" />;
  return null;
}

/** Who is signed in. */
function Person() {
  const { displayName, email } = signedInUser();
  return (
    <span class="nav-person" title={email} aria-hidden="true">
      <bdi>{displayName || email}</bdi>
    </span>
  );
}

/** Larger counts say nothing more, and would cost more to find. */
const mostCounted = 9;

function AlertBadge() {
  const { data: open = 0 } = useQuery(openAlertCount(mostCounted + 1));
  return open > 0 ? <Count of={open} what="open" tone="bad" /> : null;
}

interface CountProps {
  readonly of: number;
  readonly what: string;
  readonly tone?: 'bad';
}

function Count({ of, what, tone }: CountProps) {
  const text = of > mostCounted && tone === 'bad' ? `${mostCounted}+` : of.toLocaleString('en');
  return (
    <span class={tone ? `nav-count ${tone}` : 'nav-count'}>
      {text}
      <span class="unseen"> {what}</span>
    </span>
  );
}

/** A group of links under its heading. */
export const NavGroup = ({ label, places }: PlaceGroup) => (
  <div class="nav-group" role="group" aria-label={label}>
    <p class="nav-heading" aria-hidden="true">
      {label}
    </p>
    {places.map((place) => (
      <NavLink key={place.href} {...place} />
    ))}
  </div>
);

export const isMac = /mac|iphone|ipad/i.test(navigator.platform);

/** The one place to search and to go anywhere. */
export function SearchBox() {
  const isHere = currentLocation.value.path === '/search';
  return (
    <button
      class="search-box"
      type="button"
      aria-haspopup="dialog"
      aria-current={isHere ? 'page' : undefined}
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      onClick={() => openPalette('search')}
    >
      <Icon name="search" />
      <span>
        Search<span class="unseen"> or go to</span>
      </span>
      <kbd aria-hidden="true">{isMac ? '⌘ K' : 'Ctrl K'}</kbd>
    </button>
  );
}

export function SideBar() {
  return (
    <aside class="side">
      <div class="side-head">
        <a class="brand" href="/">
          <img src="/pages/logo.svg" alt="" width={28} height={28} />
          Earshot
        </a>
        <BellButton />
      </div>
      <SearchBox />
      <nav aria-label="Pages">
        <NavLink {...overviewPlace} />
        {placeGroups().map((group) => (
          <NavGroup key={group.label} {...group} />
        ))}
      </nav>
      <nav class="side-end" aria-label="Settings and help">
        {endPlaces.map((place) => (
          <NavLink key={place.href} {...place} />
        ))}
      </nav>
    </aside>
  );
}
