import type { ComponentChildren } from 'preact';
import { Empty, Skeleton } from '../ui/bits.tsx';
import { Button } from '../ui/button.tsx';
import { explain, statusOf } from './api.ts';
import type { Loaded } from './query.ts';
import { refresh } from './query.ts';
import { NotFound } from './not-found.tsx';

interface WhenLoadedProps<Data> {
  readonly from: Loaded<Data>;
  readonly rows?: number;
  readonly children: (data: Data) => ComponentChildren;
}

/** Shows data once it is there; what failed says so, and old data is better than none. */
export function WhenLoaded<Data>({ from: { data, error }, rows = 3, children }: WhenLoadedProps<Data>) {
  if (statusOf(error) === 404) return <NotFound />;
  if (data !== undefined) return <>{children(data)}</>;
  if (error === undefined) return <Skeleton rows={rows} />;
  return (
    <Empty icon="alert" title="Could not load the data" action={<Button onClick={() => refresh('all')}>Retry</Button>}>
      {explain(error)}
    </Empty>
  );
}
