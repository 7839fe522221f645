import type { Connection, Context } from '../command.ts';
import { countOf } from '../count-of.ts';
import { exitCodes, Failure } from '../failure.ts';
import { readLogins, writeLogins } from '../stored-logins.ts';
import type { ProgressBars } from '../progress.ts';
import { showTime } from '../time.ts';
import type { ImportPlace } from './import-place.ts';
import { openImportPlace } from './import-place.ts';
import type { ArchivedCall, BadCall, RdioArchive } from './rdio-archive.ts';
import { openRdioArchive } from './rdio-archive.ts';
import type { SentCall } from './send-call.ts';
import { sendCall } from './send-call.ts';

const atOnce = 4;
/** Each bad row is reported, but a file with nothing else does not fill the screen. */
const mostReported = 100;

interface Settings {
  readonly path: string;
  /** Begin again with the first call. */
  readonly restart: boolean;
}

type RdioContext = Pick<Context<unknown>, 'io' | 'json' | 'output'>;

/** Imports the calls of an archive; stops at any moment and continues the next time, with the calls that failed. */
export async function importRdio(
  context: RdioContext,
  connection: Connection,
  { path, restart }: Settings,
): Promise<void> {
  const { io, output, json } = context;
  const archive = await openRdioArchive(path);
  const bars = output.progress();
  const tally = createTally(context, bars);
  try {
    const key = await findUploadKey(context, connection);
    const place = await openImportPlace(io, connection.url, { path, archive, restart });
    if (place.isContinued) output.note(describePlace(place));
    const tryCall = async (call: ArchivedCall | BadCall) => {
      const sent = 'audio' in call ? await sendCall(connection, key, call, io.signal) : call;
      tally.add(call.id, sent);
      if (typeof sent === 'string') place.failed.delete(call.id);
      else if (!('isRest' in call)) place.failed.add(call.id);
    };
    try {
      for (const group of groupsOf(callsToTry(archive, place), atOnce)) {
        await Promise.all(group.map(tryCall));
        place.lastID = Math.max(place.lastID, ...group.map(({ id }) => id));
        const time = group.findLast((call) => 'audio' in call)?.fields['timestamp'];
        if (!json) bars.set('Importing', tally.done / Math.max(1, archive.count), tally.describe(Number(time)));
        await place.writeNowAndThen();
        io.signal.throwIfAborted();
      }
    } finally {
      await place.write();
    }
  } finally {
    bars.close();
    archive.close();
    if (!json) output.note(tally.summary());
  }
  if (tally.failed > 0) {
    throw new Failure(
      `${countOf(tally.failed, 'call')} not imported. Run the command again to try them again.`,
      exitCodes.partial,
    );
  }
}

/** First the calls that failed before, then those after the place. */
function* callsToTry(archive: RdioArchive, { failed, lastID }: ImportPlace): Generator<ArchivedCall | BadCall> {
  // A copy, because a call that fails again is added again.
  const before = [...failed];
  for (const id of before) {
    const call = archive.readCall(id);
    // Removed from the archive.
    if (call === undefined) failed.delete(id);
    else yield call;
  }
  yield* archive.readCalls(lastID);
}

const describePlace = ({ lastID, failed }: ImportPlace): string =>
  `Continues after call ${lastID}.${failed.size > 0 ? ` ${countOf(failed.size, 'call')} that failed ${failed.size === 1 ? 'is' : 'are'} tried again.` : ''}`;

/** Counts what became of the calls, and names each one that failed. */
function createTally({ json, output }: RdioContext, bars: ProgressBars) {
  const counts = { stored: 0, duplicate: 0, failed: 0 };
  const done = () => counts.stored + counts.duplicate + counts.failed;
  return {
    get done() {
      return done();
    },
    get failed() {
      return counts.failed;
    },
    add(callID: number, sent: SentCall): void {
      const state = typeof sent === 'string' ? sent : 'failed';
      counts[state] += 1;
      if (json) output.record({ state, callID, ...(typeof sent === 'string' ? {} : { reason: sent.reason }) });
      else if (typeof sent === 'string') return;
      else if (counts.failed <= mostReported) bars.note(`✗ call ${callID}: ${sent.reason}`);
      else if (counts.failed === mostReported + 1) bars.note('Further calls that fail are only counted.');
    },
    describe: (timeMs: number): string => `${done()} calls, ${showTime(timeMs)}`,
    summary: (): string => `${counts.stored} imported, ${counts.duplicate} already there, ${counts.failed} failed.`,
  };
}

function* groupsOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    group.push(item);
    if (group.length < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}

/**
 * Devices belong to the upload key that made them, so the same key must be used again. The key from the environment,
 * the one of an earlier import, or a new one, which only a session can make.
 */
async function findUploadKey(
  { io, output }: Pick<Context<unknown>, 'io' | 'output'>,
  { client, url, clientOptions }: Connection,
): Promise<string> {
  const given = io.env['EARSHOT_UPLOAD_KEY'];
  if (given) return given;
  const logins = await readLogins(io.env);
  const login = logins.servers[url];
  if (login?.importKey !== undefined) return login.importKey;
  if (!login || !clientOptions.credential || !('sessionToken' in clientOptions.credential)) {
    throw new Failure(
      'An import needs an upload key. Set EARSHOT_UPLOAD_KEY to the secret of one (make it in the console), or sign in with “earshot login”.',
      exitCodes.notAllowed,
    );
  }
  const { secret = '' } = await client.createUploadKey({ body: { uploadKeyDescription: 'Import from rdio-scanner' } });
  await writeLogins(io.env, { ...logins, servers: { ...logins.servers, [url]: { ...login, importKey: secret } } });
  output.note('Made the upload key “Import from rdio-scanner” for this import and later ones.');
  return secret;
}
