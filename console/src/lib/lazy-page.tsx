import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { onRetry } from './query.ts';
import { Button } from './ui/button.tsx';
import { Empty, Skeleton } from './ui/elements.tsx';

export interface PageProps {
  /** The key in the address, such as the key of a device. */
  readonly id: number;
}

const storageName = 'earshot reloaded';
const reloadEveryMs = 30_000;

/** A browser does not request a module again that it could not load. Not twice in a short time, if it is missing. */
function reloadOnce(): void {
  const before = Number(sessionStorage.getItem(storageName) ?? 0);
  if (Date.now() - before < reloadEveryMs) return;
  sessionStorage.setItem(storageName, String(Date.now()));
  location.reload();
}

interface LazyPageProps extends PageProps {
  readonly load: () => Promise<ComponentType<PageProps>>;
}

export function LazyPage({ load, id }: LazyPageProps) {
  const [page, setPage] = useState<{ readonly show: ComponentType<PageProps> } | undefined>();
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      (show) => setPage({ show }),
      () => setFailed(true),
    );
  }, [load]);
  useEffect(() => (failed ? onRetry(reloadOnce) : undefined), [failed]);
  if (failed) {
    return (
      <Empty
        icon="alert"
        title="Could not load the page"
        action={
          <Button kind="primary" onClick={() => location.reload()}>
            Reload
          </Button>
        }
      >
        The connection was lost, or the server was updated after you opened the console. The page is loaded again when
        the server can be reached.
      </Empty>
    );
  }
  if (!page) return <Skeleton rows={5} />;
  const Page = page.show;
  return <Page id={id} />;
}
