/*
 * What Node 18 lacks and the client, the contract and the agent use. The builds of the published package and of the agent
 * put this before all other code; in browsers and in newer versions of Node it changes nothing.
 */

function define(target: object, name: string, value: unknown): void {
  if (!(name in target)) Object.defineProperty(target, name, { value, configurable: true, writable: true });
}

define(Array.prototype, 'toSorted', function toSorted(this: unknown[], compare?: (a: unknown, b: unknown) => number) {
  // oxlint-disable-next-line unicorn/no-array-sort -- this defines what the rule asks for
  return [...this].sort(compare);
});

define(String.prototype, 'toWellFormed', function toWellFormed(this: string) {
  return this.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
});

define(AbortSignal, 'any', (signals: readonly AbortSignal[]): AbortSignal => {
  const either = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) either.abort(signal.reason);
    else signal.addEventListener('abort', () => either.abort(signal.reason), { once: true, signal: either.signal });
  }
  return either.signal;
});

if (!('crypto' in globalThis)) {
  // The name is not written in the import, so that bundlers for browsers leave it alone.
  const name = 'node:crypto';
  const { webcrypto } = (await import(/* @vite-ignore */ /* webpackIgnore: true */ name)) as { webcrypto: Crypto };
  define(globalThis, 'crypto', webcrypto);
}

// oxlint-disable-next-line unicorn/require-module-specifiers -- makes this file a module
export {};
