import { ApiError } from '@earshot/client/api-error';
import { createElement, render } from 'preact';
import { vi } from 'vitest';
import type { Change, Loaded, Query } from '../query.ts';
import { refresh, useQuery } from '../query.ts';

/** Longer than effects take, shorter than the times that the cache waits for. */
export const settle = () => vi.advanceTimersByTimeAsync(100);
const mounted: (() => Promise<void>)[] = [];

/** For the end of a test. */
export async function leaveAll(): Promise<void> {
  for (const leave of mounted.splice(0)) await leave();
  refresh('all');
}

/** A component that uses a query and draws nothing. */
export async function use<Data>(query: Query<Data>, hook: (query: Query<Data>) => Loaded<Data> = useQuery) {
  const place = { childNodes: [], firstChild: null } as unknown as Element;
  let seen: Loaded<Data> = { data: undefined, error: undefined };
  const Page = ({ given }: { given: Query<Data> }) => {
    seen = hook(given);
    return null;
  };
  const show = async (given: Query<Data>) => {
    render(createElement(Page, { given }), place);
    await settle();
  };
  const leave = async () => {
    render(null, place);
    await settle();
  };
  mounted.push(leave);
  await show(query);
  return { seen: () => seen, show, leave };
}

/** A server whose answers come when a test says so. */
export function makeSource<Data>(key: string, changes: Partial<Query<Data>> = {}) {
  const requests: {
    answer(data: Data): Promise<unknown>;
    fail(error: unknown): Promise<unknown>;
    signal: AbortSignal;
  }[] = [];
  const load = (signal: AbortSignal) =>
    new Promise<Data>((resolve, reject) => {
      const then = (act: () => void) => {
        act();
        return settle();
      };
      requests.push({
        answer: (data) => then(() => resolve(data)),
        fail: (error) => then(() => reject(error)),
        signal,
      });
    });
  const query: Query<Data> = { key, load, ...changes };
  const latest = () => requests.at(-1)!;
  return { query, requests, latest };
}

export const changeOf = (key: number) => ({ event: 'device', data: { key } }) as unknown as Change;
export const keyOf = (change: Change) => (change as unknown as { data: { key: number } }).data.key;
/** A list of keys, to which each change adds its own. */
export const follow = (data: number[], change: Change) => [...data, keyOf(change)];
export const unreachable = new TypeError('Failed to fetch');
export const refused = ApiError.from(new Response('', { status: 404 }), '');
