import type { Signal } from '@preact/signals';
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { LiveMessage } from '@earshot/client/live';
import { isTransient, RetryTimer } from './retry-timer.ts';
import { onSignOut } from './session.ts';

export type Change = Exclude<LiveMessage, { readonly event: 'reset' }>;

/** Returned by `follow` when the data must be loaded from the server again. */
export const reload = Symbol('reload');

/** Data of a page: how it is loaded, and how it follows changes. */
export interface Query<Data> {
  /** Queries with the same key share one entry in the cache. */
  readonly key: string;
  /** The signal is aborted when no component uses the data. Set `mayStop` if `load` supports it. */
  readonly load: (signal: AbortSignal) => Promise<Data>;
  readonly mayStop?: boolean;
  /** Returns the data after a change, or the same object if unaffected. Without it, data reloads when the tab is shown. */
  readonly follow?: (data: Data, change: Change) => Data | typeof reload;
}

export interface Loaded<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  /** True while data that could not be loaded is requested again. */
  readonly isRetrying?: boolean;
}

/** Many changes may arrive at once; data is reloaded at most once in this time. */
const reloadEveryMs = 1_000;
const mostEntries = 100;

class Entry {
  readonly state: Signal<Loaded<unknown>> = signal({ data: undefined, error: undefined });
  query: Query<unknown>;
  users = 0;
  private stale = true;
  private loading = false;
  private again = false;
  private stopping = new AbortController();
  /** Changes that arrived during a load. The load may have read the data before them. */
  private missed: Change[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly retrying = new RetryTimer(() => this.retry());

  constructor(query: Query<unknown>) {
    this.query = query;
  }

  /** Requests data again that could not be loaded. */
  retry(): void {
    if (this.users > 0 && !this.loading && isTransient(this.state.peek().error)) void this.load();
  }

  retain(): void {
    this.users += 1;
    if (this.stale) void this.load();
  }

  release(): void {
    this.users -= 1;
    if (this.users === 0) this.retrying.stop();
    if (this.users > 0 || !this.loading || !this.query.mayStop) return;
    this.stale = true;
    this.stopping.abort();
  }

  /** Data without users is reloaded when it is used next. */
  invalidate(): void {
    this.stale = true;
    if (this.users > 0) void this.load();
  }

  invalidateSoon(): void {
    this.stale = true;
    if (this.users === 0 || this.timer !== undefined) return;
    this.timer = setTimeout(() => {
      this.timer = undefined;
      this.invalidate();
    }, reloadEveryMs);
    if (!this.loading) void this.load();
  }

  async load(): Promise<void> {
    if (this.loading) {
      this.again = true;
      return;
    }
    this.loading = true;
    this.stale = false;
    this.retrying.stop();
    const { data, error: failure } = this.state.peek();
    if (failure !== undefined) this.state.value = { data, error: failure, isRetrying: true };
    const { signal: stop } = (this.stopping = new AbortController());
    try {
      this.state.value = { data: await this.query.load(stop), error: undefined };
      this.retrying.reset();
    } catch (error) {
      this.stale = true;
      if (!stop.aborted) this.state.value = { data: this.state.peek().data, error };
      if (this.users > 0 && isTransient(error)) this.retrying.start(error);
    }
    this.loading = false;
    for (const change of this.missed.splice(0)) this.follow(change);
    if (!this.again) return;
    this.again = false;
    await this.load();
  }

  follow(change: Change): void {
    if (!this.query.follow) return;
    if (this.loading) return void this.missed.push(change);
    const { data } = this.state.peek();
    if (data === undefined) return;
    const next = this.query.follow(data, change);
    if (next === reload) this.invalidateSoon();
    else if (next !== data) this.state.value = { data: next, error: undefined };
  }
}

const entries = new Map<string, Entry>();
onSignOut(() => entries.clear());

function entryOf(query: Query<unknown>): Entry {
  const known = entries.get(query.key);
  if (known) {
    known.query = query;
    return known;
  }
  const entry = new Entry(query);
  for (const [key, { users }] of entries) {
    if (entries.size < mostEntries) break;
    if (users === 0) entries.delete(key);
  }
  entries.set(query.key, entry);
  return entry;
}

/** Loads data and follows its changes while the component is mounted. */
export function useQuery<Data>(query: Query<Data>): Loaded<Data> {
  const entry = entryOf(query as Query<unknown>);
  useEffect(() => {
    entry.retain();
    return () => entry.release();
  }, [entry]);
  return entry.state.value as Loaded<Data>;
}

/** Keeps the previous data while the data of a changed query is loading. */
export function useLatest<Data>(query: Query<Data>): Loaded<Data> {
  const loaded = useQuery(query);
  const last = useRef<Loaded<Data>>(loaded);
  if (loaded.data !== undefined || loaded.error !== undefined) last.current = loaded;
  return last.current;
}

type Watcher = (change: Change | 'reset') => void;
const watchers = new Set<Watcher>();

/** For code that keeps its own records, such as a list that is loaded in parts. */
export function watchChanges(watcher: Watcher): () => void {
  watchers.add(watcher);
  return () => void watchers.delete(watcher);
}

export function followChange(change: Change): void {
  for (const entry of entries.values()) entry.follow(change);
  for (const watcher of watchers) watcher(change);
}

const retries = new Set<() => void>();

/** For code that loads its own records: called when the server can be reached again. */
export function onRetry(retry: () => void): () => void {
  retries.add(retry);
  return () => void retries.delete(retry);
}

/** Loads everything on the page again that could not be loaded. Called when the server can be reached again. */
export function retryFailedData(): void {
  for (const entry of entries.values()) entry.retry();
  for (const retry of retries) retry();
}

/** Reloads data: all of it, data that does not follow changes, or data whose key starts with one of the texts. */
export function refresh(which: 'all' | 'unfollowed' | readonly string[]): void {
  for (const [key, entry] of entries) {
    const chosen =
      which === 'all' || (which === 'unfollowed' ? !entry.query.follow : which.some((start) => key.startsWith(start)));
    if (chosen) entry.invalidate();
  }
  if (which === 'all') for (const watcher of watchers) watcher('reset');
  else for (const [reloadList, name] of lists) if (which === 'unfollowed' || which.includes(name)) reloadList();
}

const lists = new Map<() => void, string>();

/** For lists that load their own records: called when data of this name is loaded again. */
export function onRefresh(name: string, reloadList: () => void): () => void {
  lists.set(reloadList, name);
  return () => void lists.delete(reloadList);
}
