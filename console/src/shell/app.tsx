import { useEffect } from 'preact/hooks';
import { SignInPage } from '../features/session/sign-in-page.tsx';
import { api, errorMessage, statusOf } from '../lib/api.ts';
import { CardPage } from '../lib/card-page.tsx';
import { LazyPage } from '../lib/lazy-page.tsx';
import { connectLive } from '../lib/live.ts';
import { currentLocation } from '../lib/location.ts';
import { isStoredCopy } from '../lib/service-worker.ts';
import { beginSession, forgetSession, browserSession } from '../lib/session.ts';
import { Button } from '../lib/ui/button.tsx';
import { Away } from './away.tsx';
import { Frame } from './frame.tsx';
import { matchRoute } from './routes.ts';
import { ToastList } from './toast-list.tsx';

async function findSession(): Promise<void> {
  try {
    beginSession(await api.getSession());
  } catch (error) {
    if (browserSession.peek().is === 'out') return;
    if ([401, 419].includes(statusOf(error))) forgetSession();
    else browserSession.value = { is: 'failed', reason: errorMessage(error) };
  }
}

const loadSetUp = async () => (await import('../features/session/set-up-page.tsx')).SetUpPage;
const loadAcknowledge = async () => (await import('../features/alert/acknowledge-page.tsx')).AcknowledgePage;
const loadConfirm = async () => (await import('../features/channel/confirm-page.tsx')).ConfirmPage;
const loadReset = async () => (await import('../features/session/reset-page.tsx')).ResetPage;

export function App() {
  const { path } = currentLocation.value;
  if (isStoredCopy()) return <Away />;
  if (path === '/setup') return <LazyPage key={path} load={loadSetUp} id={0} />;
  if (path === '/acknowledge') return <LazyPage key={path} load={loadAcknowledge} id={0} />;
  if (path === '/confirm') return <LazyPage key={path} load={loadConfirm} id={0} />;
  if (path === '/reset') return <LazyPage key={path} load={loadReset} id={0} />;
  return (
    <>
      <SessionGate />
      <ToastList />
    </>
  );
}

function SessionGate() {
  const state = browserSession.value;
  const isIn = state.is === 'in';
  useEffect(() => {
    if (browserSession.peek().is !== 'unknown') return;
    // Load the code of the page while the session is requested.
    void matchRoute(location.pathname)?.route.load();
    void findSession();
  }, []);
  useEffect(() => {
    if (isIn) connectLive();
  }, [isIn]);
  if (isIn) return <Frame />;
  if (state.is === 'out') return <SignInPage reason={state.reason} />;
  if (state.is === 'failed') return <Failed reason={state.reason} />;
  return null;
}

const retryEveryMs = 3_000;

function Failed({ reason }: { readonly reason: string }) {
  useEffect(() => {
    const timer = setInterval(() => void findSession(), retryEveryMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <CardPage title="Could not load the console">
      <p role="alert">{reason}</p>
      <p class="quiet">The page tries again by itself.</p>
      <Button kind="primary" onClick={() => void findSession()}>
        Try again now
      </Button>
    </CardPage>
  );
}
