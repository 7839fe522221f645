/** The only one: it shows pushed messages, and keeps the shell of the console. */
export const registerWorker = () => navigator.serviceWorker.register('/sw.js');

/** Where browsers have none (http, a certificate that they do not trust, some private windows), nothing is kept. */
export function keepShell(): void {
  if ('serviceWorker' in navigator) registerWorker().catch(() => undefined);
}

/** True for the copy that the service worker keeps: it is shown only while the server is not reached. */
export const isStoredCopy = (): boolean => 'stored' in document.documentElement.dataset;
