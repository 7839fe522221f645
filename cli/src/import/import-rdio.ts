import type { Connection, Context } from '../command.ts';
import { countOf } from '../count-of.ts';
import { exitCodes, Failure } from '../failure.ts';
import { readLogins, writeLogins } from '../stored-logins.ts';
import { showTime } from '../time.ts';
import { placeFileOf } from './import-place.ts';
import { openRdioArchive, type ArchivedCall, type BadCall } from './rdio-archive.ts';
import { sendCall } from './send-call.ts';

const atOnce = 4;
/** Each bad row is reported, but a file with nothing else does not fill the screen. */
const mostReported = 100;

interface Settings {
  readonly path: string;
  /** Begin again with the first call. */
  readonly restart: boolean;
}

/** Imports the calls of an archive; stops at any moment and continues the next time. */
export async function importRdio(
  context: Pick<Context<unknown>, 'io' | 'json' | 'output'>,
  connection: Connection,
  { path, restart }: Settings,
): Promise<void> {
  const { io, output, json } = context;
  const archive = await openRdioArchive(path);
  const bars = output.progress();
  const counts = { stored: 0, duplicate: 0, bad: 0 };
  try {
    const key = await findUploadKey(context, connection);
    const placeFile = await placeFileOf(io, connection.url, path);
    const place = restart ? undefined : await placeFile.read();
    const isSame = place !== undefined && archive.markOf(place.lastID) === place.mark;
    if (isSame) output.note(`Continues after call ${place.lastID}.`);
    let last = isSame ? place.lastID : 0;
    const reportBad = ({ id, reason }: BadCall) => {
      counts.bad += 1;
      if (json) output.record({ state: 'skipped', callID: id, reason });
      else if (counts.bad <= mostReported) bars.note(`✗ call ${id}: ${reason}`);
      else if (counts.bad === mostReported + 1) bars.note('Further bad calls are only counted.');
    };
    const send = async (call: ArchivedCall) => {
      const sent = await sendCall(connection, key, call, io.signal);
      if (typeof sent === 'object') return reportBad({ id: call.id, reason: sent.reason });
      counts[sent] += 1;
      if (json) output.record({ state: sent, callID: call.id });
    };
    for (const group of groupsOf(archive.readCalls(last), atOnce)) {
      for (const call of group) if ('reason' in call) reportBad(call);
      await Promise.all(group.filter((call) => 'audio' in call).map(send));
      last = Math.max(last, ...group.map(({ id }) => id));
      const done = counts.stored + counts.duplicate + counts.bad;
      const time = group.findLast((call) => 'audio' in call)?.fields['timestamp'];
      if (!json) bars.set('Importing', done / Math.max(1, archive.count), `${done} calls, ${showTime(Number(time))}`);
      await placeFile.write({ lastID: last, mark: archive.markOf(last) ?? '' });
      io.signal.throwIfAborted();
    }
  } finally {
    bars.close();
    archive.close();
    if (!json) output.note(`${counts.stored} imported, ${counts.duplicate} already there, ${counts.bad} skipped.`);
  }
  if (counts.bad > 0) throw new Failure(`${countOf(counts.bad, 'call')} not imported.`, exitCodes.partial);
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
