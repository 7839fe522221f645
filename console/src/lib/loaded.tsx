import type { ComponentChildren } from 'preact';
import { errorMessage, statusOf } from './api.ts';
import { NotFound } from './not-found.tsx';
import type { Loaded } from './query.ts';
import { refresh } from './query.ts';
import { isTransient } from './retry-timer.ts';
import { Button } from './ui/button.tsx';
import { Empty, Skeleton } from './ui/elements.tsx';

interface WhenLoadedProps<Data> {
  readonly from: Loaded<Data>;
  readonly rows?: number;
  readonly children: (data: Data) => ComponentChildren;
}

/** Shows a placeholder, then the data. An error is shown only if there is no earlier data. */
export function WhenLoaded<Data>({ from: { data, error, isRetrying }, rows = 3, children }: WhenLoadedProps<Data>) {
  // What somebody may not see looks as if it did not exist.
  if (statusOf(error) === 404 || statusOf(error) === 403) return <NotFound />;
  if (data !== undefined) return <>{children(data)}</>;
  if (error === undefined) return <Skeleton rows={rows} />;
  const action = <Button onClick={() => refresh('all')}>Try again now</Button>;
  return (
    <div role="status">
      <Empty icon="alert" title={isRetrying ? 'Trying again…' : 'Could not load the data'} action={action}>
        {errorMessage(error)}
        {isTransient(error) && <p>The page tries again by itself.</p>}
      </Empty>
    </div>
  );
}
