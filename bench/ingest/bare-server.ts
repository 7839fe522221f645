// The reference: node:http, the same bytes in a file, and the same SQL statements, without the platform.
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { addCall } from '@earshot/server/features/gateway/call/add-call';
import { orderCaptions } from '@earshot/server/features/caption/order/orders';
import { insertFile, makeSoundAvailable } from '@earshot/server/features/file/public';
import { noteTalkgroup } from '@earshot/server/features/talkgroup/public';
import { connect, inTransaction } from '@earshot/server/platform/database/connect';

const db = connect(process.env['EARSHOT_DATABASE_URL'] ?? '', { connections: 20, name: 'bare' });
const folder = process.env['BENCH_FOLDER'] ?? '';
const deviceID = Number(process.env['BENCH_DEVICE']);
const caller = { userID: Number(process.env['BENCH_USER']), role: 'member', credential: '', deviceID } as const;

async function keep(name: string, bytes: Buffer): Promise<void> {
  const file = await open(join(folder, name), 'wx');
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function answer(request: IncomingMessage): Promise<void> {
  const query = new URL(request.url ?? '/', 'http://localhost').searchParams;
  const [startMs, talkgroup] = [Number(query.get('start')), Number(query.get('talkgroup'))];
  const bytes = await buffer(request);
  const file = await insertFile(db, {
    userID: null,
    deviceID,
    filename: 'call.wav',
    fileSize: bytes.length,
    sha256: null,
    contentType: 'audio/wav',
  });
  await keep(file.storageName, bytes);
  const sound = { fileID: file.key, fileSize: bytes.length, durationMs: 3000, bitrate: 128_000 };
  const call = {
    talkgroup,
    units: [{ unit: 1_610_018, label: null }],
    talkerAlias: null,
    frequencies: [851_012_500],
    isEmergency: false,
    site: null,
    patches: [],
    isClockOff: false,
  };
  await inTransaction(db, async (tx) => {
    const identity = { deviceID, talkgroup, startMs, sha256: '' };
    const audioClipID = await addCall(tx, caller, identity, call, sound);
    await makeSoundAvailable(tx, file.key, sound);
    await noteTalkgroup(tx, deviceID, { talkgroup, label: 'FIRE DISP', name: null, groups: ['Fire'], tag: null });
    await orderCaptions(tx, caller, [audioClipID ?? 0]);
  });
}

const server = createServer((request, response) => {
  answer(request).then(
    () => response.writeHead(200).end('done'),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Earshot is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
