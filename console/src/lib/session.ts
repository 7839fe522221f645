import { signal } from '@preact/signals';
import type { Session } from '@earshot/contract/session';

type SessionState =
  | { readonly is: 'unknown' }
  | { readonly is: 'in'; readonly person: Session }
  | { readonly is: 'out'; readonly reason: string }
  | { readonly is: 'failed'; readonly reason: string };

export const browserSession = signal<SessionState>({ is: 'unknown' });

const signOuts = new Set<() => void>();
/** Registers a callback that clears data of the user who signs out. */
export const onSignOut = (forget: () => void): void => void signOuts.add(forget);

export function beginSession(signedIn: Session): void {
  browserSession.value = { is: 'in', person: signedIn };
}

export function forgetSession(reason?: string): void {
  const was = browserSession.peek().is;
  if (was === 'out') return;
  for (const forget of signOuts) forget();
  browserSession.value = {
    is: 'out',
    reason: reason ?? (was === 'in' ? 'Your session has ended. Sign in again.' : ''),
  };
}

/** The user who is signed in; empty if none is. */
export function signedInUser(): Session {
  const state = browserSession.value;
  return state.is === 'in' ? state.person : {};
}

export const isAdmin = (): boolean => signedInUser().role === 'admin';
