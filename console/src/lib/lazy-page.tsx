import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './ui/button.tsx';
import { Empty, Skeleton } from './ui/elements.tsx';

export interface PageProps {
  /** The key in the address, such as the key of a device. */
  readonly id: number;
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
        The connection was lost, or the server was updated after you opened the console. Reload the page.
      </Empty>
    );
  }
  if (!page) return <Skeleton rows={5} />;
  const Page = page.show;
  return <Page id={id} />;
}
