/*
 * Methods that Node 18 lacks and that the contract uses. The build puts this file before all others.
 */

const missing: readonly (readonly [object, string, (this: never, ...given: never[]) => unknown])[] = [
  [
    Array.prototype,
    'toSorted',
    function (this: unknown[], compare?: (a: unknown, b: unknown) => number) {
      return [...this].sort(compare);
    },
  ],
  [
    String.prototype,
    'toWellFormed',
    function (this: string) {
      return this.replace(/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g, '\uFFFD');
    },
  ],
];

for (const [prototype, name, value] of missing) {
  if (!(name in prototype)) Object.defineProperty(prototype, name, { value, configurable: true, writable: true });
}
