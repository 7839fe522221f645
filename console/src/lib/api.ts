import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import { ApiError } from '@earshot/client/api-error';
import { forgetSession } from './session.ts';

/** True while the page unloads: requests then use `keepalive`, so that they outlive the page. */
let isUnloading = false;
export function duringUnload(act: () => void): void {
  isUnloading = true;
  act();
  isUnloading = false;
}

/** Paths where 401 means a wrong password or link. Elsewhere 401 means that the session has ended. */
const pathsWithoutSession = new Set(['/v1/session', '/v1/session/passwordreset', '/v1/setup']);

async function fetchAndCheckSession(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(input, isUnloading ? { ...init, keepalive: true } : init);
  const { pathname } = new URL(response.url);
  const ends = response.status === 419 || (response.status === 401 && !pathsWithoutSession.has(pathname));
  if (ends) forgetSession();
  return response;
}

/** The public API. The browser adds the session cookie. */
export const connection = { url: location.origin, fetch: fetchAndCheckSession };
export const api: Client = createClient(connection);

/** An error as a message for people. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return 'The server does not respond. Check the connection, then retry.';
  const seconds = waitOf(error);
  if (seconds > 0) return `Too many attempts. Retry in ${waitText(seconds)}.`;
  return stripMarkdown(error.problem?.detail ?? `The server answered with an error (${error.status}).`);
}

/** Removes Markdown code marks: texts of the contract are Markdown, the console shows plain text. */
export const stripMarkdown = (text: string): string => text.replaceAll('`', '');

/** The problem of each field, by the field's name in the API. */
export function fieldProblems(error: unknown): readonly { readonly path: string; readonly message: string }[] {
  return error instanceof ApiError ? (error.problem?.errors ?? []) : [];
}

export const statusOf = (error: unknown): number => (error instanceof ApiError ? error.status : 0);

/** Seconds to wait after too many attempts, from Retry-After. */
export const waitOf = (error: unknown): number =>
  error instanceof ApiError && error.status === 429 ? (error.retryAfterSeconds ?? 0) : 0;

function waitText(seconds: number): string {
  if (seconds >= 90) return `${Math.ceil(seconds / 60)} minutes`;
  return seconds === 1 ? 'a second' : `${seconds} seconds`;
}
