// The reference: node:http and the same SQL statement, without the platform.
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { listClips, noMoreColumns } from '@earshot/server/features/audio-clip/list/queries';
import { connect } from '@earshot/server/platform/database/connect';
import { clipNames } from '@earshot/server/features/audio-clip/list/name-queries';

const db = connect(process.env['EARSHOT_DATABASE_URL'] ?? '', { connections: 20, name: 'bare' });
const caller = { userID: Number(process.env['BENCH_USER']), role: 'member', credential: '' } as const;

async function answer(request: IncomingMessage): Promise<string> {
  const body = JSON.parse((await buffer(request)).toString('utf8')) as { deviceID?: number; deviceIDList?: number[] };
  const filter = { fromMs: undefined, toMs: undefined, count: 100, ascending: false };
  const rows = body.deviceIDList
    ? await listClips(db, caller, { ...filter, devices: body.deviceIDList }, noMoreColumns)
    : await listClips(db, caller, { ...filter, devices: body.deviceID }, clipNames);
  return JSON.stringify(rows);
}

const server = createServer((request, response) => {
  answer(request).then(
    (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Earshot is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
