import { useEffect, useRef } from 'preact/hooks';
import { BellPlace } from '../features/bell/public.tsx';
import { PlayerPlace } from '../features/listen/public.tsx';
import { DropAnywhere, UploadStatus } from '../features/upload/public.tsx';
import { LazyPage } from '../lib/lazy-page.tsx';
import { isConnected } from '../lib/live.ts';
import { navigationCount, currentLocation } from '../lib/location.ts';
import { NotFound } from '../lib/not-found.tsx';
import { keepShell } from '../lib/service-worker.ts';
import { may } from '../features/right/public.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { Palette } from './palette/palette.tsx';
import { noteRecent } from './palette/recent.ts';
import { matchRoute } from './routes.ts';
import { ShortcutsDialog } from './shortcuts-dialog.tsx';
import { attachShortcuts } from './shortcuts.ts';
import { SideBar } from './side-bar.tsx';

export function Frame() {
  useEffect(attachShortcuts, []);
  useEffect(noteRecent, []);
  useEffect(keepShell, []);
  return (
    <div class="shell">
      <a class="skip" href="#main">
        Skip to content
      </a>
      <SideBar />
      <div class="shell-main">
        <ConnectionLine />
        <Content />
        <PlayerPlace />
      </div>
      <BottomBar />
      <BellPlace />
      <Palette />
      <ShortcutsDialog />
      <DropAnywhere />
      <UploadStatus />
    </div>
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
  const match = found?.route.needs && !may(found.route.needs) ? undefined : found;
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
