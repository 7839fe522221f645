import { useEffect } from 'preact/hooks';
import { SignInPage } from '../features/session/sign-in-page.tsx';
import { Button } from '../ui/button.tsx';
import { api, explain, statusOf } from './api.ts';
import { Lone } from './lone.tsx';
import { startLive } from './live.ts';
import { LazyPage } from './lazy-page.tsx';
import { place } from './router.ts';
import { matchRoute } from './routes.ts';
import { beginSession, endSession, session } from './session.ts';
import { Shell } from './shell.tsx';
import { ToastList } from './toast-list.tsx';

async function findSession(): Promise<void> {
  try {
    beginSession(await api.getSession());
  } catch (error) {
    if (session.peek().is === 'out') return;
    if ([401, 419].includes(statusOf(error))) endSession();
    else session.value = { is: 'failed', reason: explain(error) };
  }
}

const loadSetUp = async () => (await import('../features/session/set-up-page.tsx')).SetUpPage;
const loadReset = async () => (await import('../features/session/reset-page.tsx')).ResetPage;

export function App() {
  const { path } = place.value;
  if (path === '/setup') return <LazyPage key={path} load={loadSetUp} id={0} />;
  if (path === '/reset') return <LazyPage key={path} load={loadReset} id={0} />;
  return (
    <>
      <Inside />
      <ToastList />
    </>
  );
}

function Inside() {
  const state = session.value;
  const isIn = state.is === 'in';
  useEffect(() => {
    if (session.peek().is !== 'unknown') return;
    // Load the code of the page while the session is requested.
    void matchRoute(location.pathname)?.route.load();
    void findSession();
  }, []);
  useEffect(() => {
    if (isIn) startLive();
  }, [isIn]);
  if (isIn) return <Shell />;
  if (state.is === 'out') return <SignInPage reason={state.reason} />;
  if (state.is === 'failed') return <Failed reason={state.reason} />;
  return null;
}

function Failed({ reason }: { readonly reason: string }) {
  return (
    <Lone title="Could not load the console">
      <p role="alert">{reason}</p>
      <Button kind="primary" onClick={() => void findSession()}>
        Retry
      </Button>
    </Lone>
  );
}
