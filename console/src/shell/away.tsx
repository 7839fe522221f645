import { useEffect } from 'preact/hooks';
import { CardPage } from '../lib/card-page.tsx';
import { Button } from '../lib/ui/button.tsx';

const retryEveryMs = 3_000;

/** Loads the page from the server, because the stored copy may be of a former version. */
async function openWhenReached(): Promise<void> {
  const answer = await fetch('/', { method: 'HEAD', cache: 'no-store' }).catch(() => undefined);
  if (answer?.ok) location.reload();
}

export function Away() {
  useEffect(() => {
    const timer = setInterval(() => void openWhenReached(), retryEveryMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <CardPage title="The server is not reached">
      <p role="alert">Earshot does not respond. Check the connection of this device.</p>
      <p class="quiet">The page tries again by itself.</p>
      <Button kind="primary" onClick={() => void openWhenReached()}>
        Try again now
      </Button>
    </CardPage>
  );
}
