/**
 * Runs only the database of a server, for tests that need it in a separate process to kill it or run it as another
 * user. Prints one line of JSON: `{ host }` or `{ error }`.
 */
import { startEmbeddedPostgres } from '../postgres.ts';

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

try {
  const database = await startEmbeddedPostgres({ dataDir: process.argv[2] ?? '', log: silent });
  const stayAlive = setInterval(() => undefined, 60_000);
  process.once('SIGTERM', () => {
    clearInterval(stayAlive);
    void database.stop();
  });
  process.stdout.write(`${JSON.stringify({ host: database.connection.host })}\n`);
} catch (error) {
  process.stdout.write(`${JSON.stringify({ error: (error as Error).message })}\n`);
}
