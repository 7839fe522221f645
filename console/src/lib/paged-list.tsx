import type { LiveKind } from '@earshot/contract/live-change';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { errorMessage } from './api.ts';
import { keepOnce } from './kept.ts';
import type { Change } from './query.ts';
import { onRetry, watchChanges } from './query.ts';
import { Button } from './ui/button.tsx';
import { Empty, Skeleton } from './ui/elements.tsx';

interface Page<Item> {
  readonly results: readonly Item[];
  readonly next?: string;
}

interface Pages<Item> {
  items: readonly Item[] | undefined;
  next: string | undefined;
  error: unknown;
  isLoading: boolean;
}

interface PagedListProps<Item> {
  readonly name: string;
  readonly filter: object;
  /** The kind of the live stream of which a change may concern the list. */
  readonly kind: LiveKind;
  readonly isConcerned?: (change: Change) => boolean;
  readonly load: (page: { readonly count: number; readonly cursor?: string }) => Promise<Page<Item>>;
  readonly countText: (count: number, isAll: boolean) => string;
  readonly empty: ComponentChildren;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

const perPage = 50;
const reloadAfterMs = 500;
/** Longer lists are not loaded again by themselves: it would cost many pages. */
const mostReloaded = 1_000;

/** A list that is loaded page by page with a cursor, kept when the person comes back, and loaded again after changes. */
export function PagedList<Item>({ name, filter, kind, isConcerned, countText, empty, ...of }: PagedListProps<Item>) {
  const id = JSON.stringify(filter);
  const pages = keepOnce<Pages<Item>>(name, id, () => ({
    items: undefined,
    next: undefined,
    error: undefined,
    isLoading: false,
  }));
  const [, render] = useState({});
  const fetchPage = async (isFirst: boolean) => {
    if (pages.isLoading) return;
    pages.isLoading = true;
    render({});
    try {
      if (isFirst) await loadAgain(pages, of.load);
      else {
        const page = await of.load({ count: perPage, ...(pages.next === undefined ? {} : { cursor: pages.next }) });
        pages.items = [...(pages.items ?? []), ...page.results];
        pages.next = page.next;
      }
      pages.error = undefined;
    } catch (error) {
      pages.error = error;
    }
    pages.isLoading = false;
    render({});
  };
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const soon = () => {
      clearTimeout(timer);
      timer = setTimeout(() => void fetchPage(true), reloadAfterMs);
    };
    void fetchPage(true);
    const stopWatching = watchChanges((change) => {
      if (change === 'reset' || (change.event === kind && (isConcerned?.(change) ?? true))) soon();
    });
    const stopRetrying = onRetry(() => pages.error !== undefined && void fetchPage(true));
    return () => {
      clearTimeout(timer);
      stopWatching();
      stopRetrying();
    };
  }, [id]);
  const { items, error } = pages;
  if (items === undefined) {
    if (error === undefined) return <Skeleton rows={5} />;
    return (
      <Empty
        icon="alert"
        title="Could not load the list"
        action={<Button onClick={() => void fetchPage(true)}>Try again</Button>}
      >
        {errorMessage(error)}
      </Empty>
    );
  }
  return (
    <>
      <p class="found-count list-count" role="status">
        {items.length > 0 && countText(items.length, pages.next === undefined)}
      </p>
      <div class="card">{items.length === 0 ? empty : of.children(items)}</div>
      {pages.next !== undefined && (
        <div class="more">
          <Button busy={pages.isLoading} onClick={() => void fetchPage(false)}>
            Load older
          </Button>
        </div>
      )}
      {error !== undefined && (
        <p class="problem" role="alert">
          {errorMessage(error)}
        </p>
      )}
    </>
  );
}

/** As many as are shown, from the newest on. */
async function loadAgain<Item>(pages: Pages<Item>, load: PagedListProps<Item>['load']): Promise<void> {
  const wanted = Math.min(mostReloaded, Math.max(perPage, pages.items?.length ?? 0));
  const page = await load({ count: wanted });
  pages.items = page.results;
  pages.next = page.next;
}
