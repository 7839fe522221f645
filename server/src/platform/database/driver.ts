import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type postgresDriver from 'postgres';
import type { DriverParts } from './composition.ts';
import { createCompose } from './composition.ts';
import { createConnectionGate } from './connection-gate.ts';

/*
 * postgres.js 3.4.9, patched when it is loaded, because it does not survive the loss of a connection in some states
 * that every restart of PostgreSQL under load produces (its issues 1066, 1154 and 1208 are open). Unpatched:
 *
 * - A connection buffers small writes until the end of the turn. If the connection was lost before that, the buffer and
 *   the flag for a pending write were kept: after the reconnect, the connection wrote nothing until its timeout.
 * - A lost connection also kept its query and its error. The first query after the reconnect failed with that old
 *   error, and a query during the start of PostgreSQL never ended.
 * - A socket emits its error some turns before its close. A query that was passed to the connection in between was
 *   neither answered nor rejected.
 * - If a connection was lost while it read the types of the database, before its first query, it rejected a promise
 *   without a handler, which ends the process.
 * - A transaction continued on a lost connection, including its rollback or commit. It then wrote to no socket, which
 *   ends the process, or to a new socket that runs another transaction.
 * - If PostgreSQL refused a connection because of a connection limit, the query that it was opened for failed, although
 *   the pool had other connections; see connection-gate.ts.
 *
 * Two patches reduce CPU use; without them a node spent more time on the statements of the queue than PostgreSQL did:
 *
 * - Every part of a statement was a promise, although only the whole is awaited. The promise is now created on demand.
 * - The text of a statement is composed once for each choice of its parts; see composition.ts.
 *
 * If a text to patch is not found, the version of the driver has changed: check whether it still needs the patch.
 */
const forget = 'query = results = errorResponse = null; result = new Result()';

const lazyPromise = `get promise() {
    return this.promised || (this.promised = new Promise((a, b) => (this.fulfill = a, this.refuse = b)))
  }

  resolve(x) {
    this.active = false
    this.promise && this.fulfill(x)
  }

  reject(x) {
    this.active = false
    this.promise && this.refuse(x)
  }

  static get [Symbol.species]`;

const refuseConnection = `const refusal = Errors.postgres(parseError(x))
      if (initial && refusal.code === '53300') {
        const refused = initial
        initial = null
        return onrefused(refused, refusal)
      }
      errored(refusal)`;

const makeGate = `const gate = require('gate')({
    queries,
    queues,
    options,
    dispatch: handler,
    openNext: () => connect(closed.shift(), queries.shift())
  })`;

const patches: Readonly<Record<string, readonly (readonly [text: string, patched: string])[]>> = {
  'connection.js': [
    [
      'clearImmediate(nextWriteTimer)\n    socket.removeListener',
      'clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
    ],
    ['if (initial)\n      return reconnect()', `if (initial) {\n${forget}\n      return reconnect()\n    }`],
    ['!hadError && (query || sent.length)', '(query || sent.length)'],
    ['closedTime = performance.now()\n', `${forget}\n    closedTime = performance.now()\n`],
    ['return fetchArrayTypes()', 'return fetchArrayTypes().catch(() => {})'],
    ['onclose = noop } = {}', 'onclose = noop, onrefused = noop } = {}'],
    ['errored(Errors.postgres(parseError(x)))', refuseConnection],
    [
      'string = stringify(q, q.strings[0], q.args[0], parameters, types, options)',
      "{ text: string, signature } = require('compose')(q, parameters, types, options)",
    ],
    ['q.prepare && types + string', 'q.prepare && (q.tagged ? signature : types + string)'],
  ],
  'index.js': [
    ['{ onopen, onend, onclose }', '{ onopen, onend, onclose, onrefused: (q, e) => gate.refused(q, e) }'],
    ['const sql = Sql(handler)\n\n  Object', `${makeGate}\n\n  const sql = Sql(handler)\n\n  Object`],
    ['if (closed.length)\n', 'if (closed.length && gate.mayOpen())\n'],
    [': queries.push(query)\n', ': gate.wait(query)\n'],
    ['queries.length && connect(c,', 'queries.length && gate.mayOpen() && connect(c,'],
    ['socket          : o.socket,', 'socket          : o.socket,\n    onrefused       : o.onrefused,'],
    ['let savepoints = 0\n', 'let savepoints = 0, lost\n'],
    ['connection.onclose = reject', 'connection.onclose = (error) => reject(lost = error)'],
    ['q.catch(e => uncaughtError', 'if (lost) return q.reject(lost)\n        q.catch(e => uncaughtError'],
  ],
  'query.js': [
    ['class Query extends Promise', 'class Query'],
    [
      'super((a, b) => {\n      resolve = a\n      reject = b\n    })',
      'this.promised = this.fulfill = this.refuse = null',
    ],
    [
      'this.resolve = x => (this.active = false, resolve(x))\n    this.reject = x => (this.active = false, reject(x))\n',
      '',
    ],
    ['static get [Symbol.species]', lazyPromise],
    ['super.then.apply(this,', 'this.promise.then.apply(this.promise,'],
    ['super.catch.apply(this,', 'this.promise.catch.apply(this.promise,'],
    ['super.finally.apply(this,', 'this.promise.finally.apply(this.promise,'],
  ],
};

const require = createRequire(import.meta.url);
const entry = require.resolve('postgres');

/** Evaluates a patched module of the driver; its imports are loaded unchanged, except those in `replaced`. */
function loadPatched(name: string, replaced: Readonly<Record<string, unknown>>): unknown {
  const path = join(dirname(entry), name);
  let source = readFileSync(path, 'utf8');
  for (const [text, patched] of patches[name] ?? []) {
    if (source.split(text).length !== 2)
      throw new Error(`postgres.js is not the version that driver.ts patches (${name})`);
    source = source.replace(text, () => patched);
  }
  const module = { exports: {} as unknown };
  const requireThere = createRequire(path);
  const requireMended = (id: string): unknown => replaced[id] ?? requireThere(id);
  const parameters = ['module', 'exports', 'require'];
  compileFunction(source, parameters, { filename: path })(module, module.exports, requireMended);
  return module.exports;
}

const query = loadPatched('query.js', {});
const types = loadPatched('types.js', { './query.js': query });
const parts = { './query.js': query, './types.js': types };
const compose = createCompose({ ...(query as DriverParts), ...(types as DriverParts) });
const connection = loadPatched('connection.js', { ...parts, compose });
const replacedInIndex = { ...parts, './connection.js': connection, gate: createConnectionGate };
export const postgres = loadPatched('index.js', replacedInIndex) as typeof postgresDriver;
