import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { compileFunction } from 'node:vm';
import type postgresDriver from 'postgres';
import type { DriverParts } from './composition.ts';
import { createCompose } from './composition.ts';
import { createConnectionGate } from './connection-gate.ts';

/*
 * postgres.js 3.4.9, mended as it is loaded: it does not survive the loss of a connection at a bad moment, which
 * every restart of PostgreSQL under load brings about (its issues 1066, 1154 and 1208 are open).
 *
 * - A connection gathers small writes for the end of the turn. Lost before that, it kept them, and the mark that a
 *   write was due: connected again, it never wrote a byte until its time was up, each time anew.
 * - Nor did it forget the query that it lost and the error that ended it: whoever asked first once it was connected
 *   again got that error, and one who asked while PostgreSQL was starting waited for the end of an endless loop.
 * - A socket tells its error some turns before its end. What was handed to the connection in between was never
 *   answered, nor refused.
 * - Lost while it learned the database's types, before its first query, it rejected a promise that nobody holds,
 *   which ends the process.
 * - A transaction went on with a lost connection, its rollback or commit included: that wrote to no socket, which
 *   ends the process, or to one that was made anew and is at work for another transaction.
 * - A connection that PostgreSQL refused because there are too many failed the query that it was opened for, though
 *   the pool had others; see connection-gate.ts.
 *
 * And two for speed, without which a node spent more on the statements of the queue than PostgreSQL did:
 *
 * - Every part of a statement was a promise of its own, though only the whole is ever awaited. Now the promise is made
 *   when it is asked for.
 * - The text of a statement is put together once for each way that its parts can be chosen; see composition.ts.
 *
 * A text that is not found means another version: look whether it still needs this.
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

const mends: Readonly<Record<string, readonly (readonly [text: string, mended: string])[]>> = {
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

/** Evaluates a module of the driver with its mends; what it requires is loaded as ever, but for `replaced`. */
function loadMended(name: string, replaced: Readonly<Record<string, unknown>>): unknown {
  const path = join(dirname(entry), name);
  let source = readFileSync(path, 'utf8');
  for (const [text, mended] of mends[name] ?? []) {
    if (source.split(text).length !== 2)
      throw new Error(`postgres.js is not the version that driver.ts mends (${name})`);
    source = source.replace(text, () => mended);
  }
  const module = { exports: {} as unknown };
  const requireThere = createRequire(path);
  const requireMended = (id: string): unknown => replaced[id] ?? requireThere(id);
  const parameters = ['module', 'exports', 'require'];
  compileFunction(source, parameters, { filename: path })(module, module.exports, requireMended);
  return module.exports;
}

const query = loadMended('query.js', {});
const types = loadMended('types.js', { './query.js': query });
const parts = { './query.js': query, './types.js': types };
const compose = createCompose({ ...(query as DriverParts), ...(types as DriverParts) });
const connection = loadMended('connection.js', { ...parts, compose });
const replacedInIndex = { ...parts, './connection.js': connection, gate: createConnectionGate };
export const postgres = loadMended('index.js', replacedInIndex) as typeof postgresDriver;
