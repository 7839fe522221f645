import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '@earshot/client/client';
import { recordPolls } from '@earshot/server/features/device/contact-queries';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import { connectionOfRunning } from '@earshot/server/platform/database/embedded/postgres';
import { provideServer, stopDemoServer } from '../server.ts';
import { openDemoSession } from '../set-up.ts';
import type { DemoPlace } from '../state.ts';
import { createDemoState, createSaver, readDemoState } from '../state.ts';
import { fillInstallation, readerEmail } from './fill.ts';

interface LargeDemo {
  readonly place: DemoPlace;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

const counts = {
  devices: 2_000,
  clips: 100_000,
  presets: 400,
  events: 5_000,
  collections: 60,
  people: 24,
  keys: 40,
};
const contactEveryMs = 60_000;
const contactsAtOnce = 500;

/** An installation of thousands of devices, filled once, whose agents keep contact until the signal aborts. */
export async function runLargeDemo({ place, say, signal }: LargeDemo): Promise<void> {
  await mkdir(place.folder, { recursive: true });
  const known = await readDemoState(place);
  if (known && known.reader === undefined)
    throw new Error(
      'The small demo is in this folder. Remove it with `npm run demo -- clear`, or name another folder.',
    );
  const state = known ?? createDemoState();
  const save = createSaver(place, state);
  state.demoPid = process.pid;
  await save();
  say('Starting the server; the first start builds it, which takes some seconds …');
  const server = await provideServer(place, state, { EARSHOT_CAPTION_ENGINE: 'none' });
  const connection = await connectionOfRunning(join(place.folder, 'server'));
  if (connection === undefined) throw new Error('The database of the demo does not run.');
  const db = connect(connection, { connections: 1, name: 'demo' });
  try {
    state.url = server.url;
    state.serverPid = server.pid;
    await save();
    const session = createClient({ url: server.url, fetch: await openDemoSession(server.url, state) });
    if (state.reader === undefined) {
      const sinceMs = Date.now();
      await fillInstallation({ db, session, password: state.password, say, url: urlOf(connection), counts });
      state.reader = readerEmail;
      await save();
      say(`Filled in ${Math.round((Date.now() - sinceMs) / 1_000)} s.`);
    }
    say(`\n  Open     ${server.url}\n  E-mail   ${state.email}\n  Password ${state.password}`);
    say(`\n  Reads only: ${state.reader}, with the same password\n\nPress Ctrl-C to stop.`);
    await keepContact(db, signal);
  } finally {
    say('\nStopping the server …');
    await db.end({ timeout: 1 });
    await stopDemoServer(server);
    delete state.demoPid;
    delete state.serverPid;
    await save();
    say('Stopped. `npm run demo -- large` continues, `npm run demo -- clear` removes all that it made.');
  }
}

type Connection = NonNullable<Awaited<ReturnType<typeof connectionOfRunning>>>;

export const urlOf = ({ username, password, database, host }: Connection): string =>
  `postgres://${username}:${password}@localhost/${database}?host=${encodeURIComponent(host)}`;

/** The agents of online devices, without their network: what a poll writes is written. */
async function keepContact(db: Pool, signal: AbortSignal): Promise<void> {
  const rows = await db<{ key: number }[]>`
    select d.key from devices d join device_states s on s.device_id = d.key
    where d.device_serial like 'field-%' and exists (
      select 1 from agents a where a.device_id = d.key
        and a.last_heard_from_date >= (select max(last_heard_from_date) from agents) - interval '1 minute')
    order by d.key`;
  const keys = rows.map(({ key }) => key);
  while (!signal.aborted) {
    for (let at = 0; at < keys.length; at += contactsAtOnce) await recordPolls(db, keys.slice(at, at + contactsAtOnce));
    await sleep(contactEveryMs, undefined, { signal }).catch(() => {});
  }
}
