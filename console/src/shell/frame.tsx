import { searchTextLength } from '@earshot/contract/values';
import { useEffect, useRef, useState } from 'preact/hooks';
import { BellButton, BellPlace } from '../features/bell/public.tsx';
import { DropAnywhere, UploadStatus } from '../features/upload/public.tsx';
import { LazyPage } from '../lib/lazy-page.tsx';
import { isConnected } from '../lib/live.ts';
import { navigate, navigationCount, currentLocation } from '../lib/location.ts';
import { NotFound } from '../lib/not-found.tsx';
import { isAdmin, signedInUser } from '../lib/session.ts';
import { Dialog } from '../lib/ui/dialog.tsx';
import type { IconName } from '../lib/ui/icon.tsx';
import { Icon } from '../lib/ui/icon.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { matchRoute } from './routes.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { attachShortcuts } from './shortcuts.ts';

interface Item {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
}

const mainItems: readonly Item[] = [
  { href: '/', label: 'Overview', icon: 'overview' },
  { href: '/search', label: 'Search', icon: 'search' },
  { href: '/clips', label: 'Clips', icon: 'wave' },
  { href: '/devices', label: 'Devices', icon: 'device' },
  { href: '/alerts', label: 'Alerts', icon: 'alert' },
  { href: '/rules', label: 'Rules', icon: 'rule' },
  { href: '/upload', label: 'Add recordings', icon: 'add' },
  { href: '/events', label: 'Events', icon: 'event' },
  { href: '/collections', label: 'Collections', icon: 'collection' },
  { href: '/presets', label: 'Presets', icon: 'preset' },
];
/** On a phone these are in the bottom bar; the others are in the "More" menu. */
const bottomItems = mainItems.slice(0, 4);

const otherItems = (): readonly Item[] => [
  ...(isAdmin()
    ? ([
        { href: '/people', label: 'People', icon: 'people' },
        { href: '/vocabulary', label: 'Vocabulary', icon: 'tag' },
      ] as const)
    : []),
  { href: '/teams', label: 'Teams', icon: 'team' },
  { href: '/channels', label: 'Channels', icon: 'link' },
  { href: '/updates', label: 'Updates', icon: 'download' },
  { href: '/keys', label: 'API keys', icon: 'key' },
  { href: '/upload-keys', label: 'Upload keys', icon: 'upload' },
  { href: '/audit', label: 'Audit trail', icon: 'history' },
  { href: '/settings', label: 'Settings', icon: 'settings' },
  { href: '/docs/', label: 'Documentation', icon: 'book' },
  { href: '/api', label: 'API reference', icon: 'code' },
];

const isCurrent = (href: string, path: string): boolean => path === href || path.startsWith(`${href}/`);

function NavLink({ href, label, icon }: Item) {
  return (
    <a class="nav-link" href={href} aria-current={isCurrent(href, currentLocation.value.path) ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
    </a>
  );
}

export function Frame() {
  useEffect(attachShortcuts, []);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <SideBar />
      <div class="shell-main">
        <ConnectionLine />
        <Content />
      </div>
      <BottomBar />
      <BellPlace />
      <ShortcutsDialog />
      <DropAnywhere />
      <UploadStatus />
    </div>
  );
}

function SideBar() {
  const { displayName, email } = signedInUser();
  return (
    <aside class="side">
      <div class="side-head">
        <a class="brand" href="/">
          <img src="/pages/logo.svg" alt="" width={28} height={28} />
          Earshot
        </a>
        <BellButton />
      </div>
      {currentLocation.value.path === '/search' ? <SearchPlace /> : <NavigationSearch />}
      <nav aria-label="Pages">
        {mainItems.map((item) => (
          <NavLink key={item.href} {...item} />
        ))}
      </nav>
      <nav class="side-end" aria-label="Administration">
        {otherItems().map((item) => (
          <NavLink key={item.href} {...item} />
        ))}
      </nav>
      <p class="side-person" title={email}>
        <bdi>{displayName || email}</bdi>
      </p>
    </aside>
  );
}

/** Keeps the place of the search field free on the search page, so that the links below it do not move. */
const SearchPlace = () => (
  <div class="search search-place" aria-hidden="true">
    <span class="input">&nbsp;</span>
  </div>
);

/** The transcript search in the navigation. The search page has its own, larger field. */
function NavigationSearch() {
  const input = useRef<HTMLInputElement>(null);
  const search = (event: Event) => {
    event.preventDefault();
    navigate(`/search?q=${encodeURIComponent(input.current?.value.trim() ?? '')}`);
  };
  return (
    <form class="search" role="search" aria-label="Search transcripts" onSubmit={search}>
      <Icon name="search" />
      <input
        ref={input}
        class="input"
        type="search"
        data-search-transcripts
        aria-label="Search transcripts"
        placeholder="Search"
        maxLength={searchTextLength}
        dir="auto"
        autoComplete="off"
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}

function BottomBar() {
  const [more, setMore] = useState(false);
  const { path } = currentLocation.value;
  useEffect(() => setMore(false), [path]);
  const others = [...mainItems.slice(bottomItems.length), ...otherItems()];
  const isBehind = others.some(({ href }) => isCurrent(href, path));
  return (
    <nav class="bottom" aria-label="Main pages">
      {bottomItems.map((item) => (
        <NavLink key={item.href} {...item} />
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
            {others.map((item) => (
              <NavLink key={item.href} {...item} />
            ))}
          </div>
        </Dialog>
      )}
    </nav>
  );
}

function ConnectionLine() {
  return (
    <div role="status" class="connection-place">
      {!isConnected.value && <p class="connection">Connection lost. Data may be out of date. Reconnecting…</p>}
    </div>
  );
}

function Content() {
  const main = useRef<HTMLElement>(null);
  const { path } = currentLocation.value;
  const found = matchRoute(path);
  const match = found?.route.adminOnly && !isAdmin() ? undefined : found;
  const title = match?.route.title ?? 'Not found';
  const move = navigationCount.value;
  useEffect(() => {
    if (move > 0) main.current?.focus({ preventScroll: true });
  }, [move, path]);
  return (
    <main id="main" class="content" ref={main} tabIndex={-1} aria-label={title}>
      <ErrorBoundary key={path}>
        {match ? <LazyPage load={match.route.load} id={match.id} /> : <NotFound />}
      </ErrorBoundary>
    </main>
  );
}
