import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:http';
import type { Pool } from '@earshot/server/platform/database/connect';
import { connect } from '@earshot/server/platform/database/connect';
import type { RowCopier } from '../copy-rows.ts';
import { openRowCopier } from '../copy-rows.ts';
import { median } from '../http/load.ts';
import type { ServedClips } from './databases.ts';
import { newestStart } from './fill.ts';

const senders = 4;
const listsPerSender = 3;
const perList = 1000;

/** A clip as a device announces it. */
interface Announced {
  readonly startTime: number;
  readonly clipLengthInSeconds: number;
  readonly fileSize: number;
  readonly bitrate: number;
  readonly localFilePath: string;
}

/** Lists of clips that were not announced before. */
function createRecorder() {
  let startTime = newestStart + 60;
  return (): Announced[] =>
    Array.from({ length: perList }, () => {
      startTime += 60;
      const localFilePath = `/recordings/${startTime}.flac`;
      return { startTime, clipLengthInSeconds: 60, fileSize: 960_044, bitrate: 256_000, localFilePath };
    });
}

/** A way to store prepared lists; resolves when all of them are stored. */
interface Way {
  readonly name: string;
  /** Not measured: prepares the data that is sent. */
  prepare(lists: readonly Announced[][], sender: number): readonly unknown[];
  send(prepared: unknown, sender: number): Promise<void>;
}

function overHttp({ server, credential }: ServedClips): Way {
  const { hostname, port } = new URL(server.url);
  const agent = new Agent({ keepAlive: true });
  const headers = {
    authorization: `Basic ${btoa(`${credential.accessKey}:${credential.secretKey}`)}`,
    'content-type': 'application/json',
  };
  return {
    name: 'createlist',
    prepare: (lists) => lists.map((list) => Buffer.from(JSON.stringify(list))),
    async send(body, sender) {
      const path = `/v1/audioclip/createlist/recorder-${sender + 1}`;
      const sending = request({ hostname, port, agent, path, method: 'POST', headers });
      sending.end(body as Buffer);
      const [answer] = (await once(sending, 'response')) as [IncomingMessage];
      answer.resume();
      await once(answer, 'end');
      if (answer.statusCode !== 200) throw new Error(`createlist responded with ${answer.statusCode}`);
    },
  };
}

/** The same rows, without repeatable announcements and live changes. */
const plainInsert = (db: Pool, devices: readonly number[], userID: number): Way => ({
  name: 'plain insert',
  prepare: (lists, sender) =>
    lists.map((list) =>
      list.map(({ startTime, fileSize, bitrate, localFilePath }) => ({
        device_id: devices[sender] ?? 0,
        audio_clip_type_id: 0,
        start_ms: startTime * 1000,
        end_ms: startTime * 1000 + 60_000,
        audio_clip_status: 0,
        file_size: fileSize,
        bitrate,
        local_file_path: localFilePath,
        created_by: userID,
      })),
    ),
  async send(rows) {
    await db`insert into audio_clips ${db(rows as Record<string, number>[])}`;
  },
});

const columns = 'device_id, start_ms, end_ms, file_size, bitrate, local_file_path';

/** The same with arrays, which need fewer parameters; createlist itself works this way. */
const arrayInsert = (db: Pool, devices: readonly number[]): Way => ({
  name: 'insert of arrays',
  prepare: (lists) => lists,
  async send(prepared, sender) {
    const list = prepared as Announced[];
    await db`
      insert into audio_clips ${db.unsafe(`(${columns})`)}
      select ${devices[sender] ?? 0}, n.start_ms, n.start_ms + 60000, n.file_size, n.bitrate, n.local_file_path
      from unnest(${list.map(({ startTime }) => startTime * 1000)}::bigint[], ${list.map(({ fileSize }) => fileSize)}::bigint[],
        ${list.map(({ bitrate }) => bitrate)}::bigint[], ${list.map(({ localFilePath }) => localFilePath)}::text[])
        as n (start_ms, file_size, bitrate, local_file_path)`;
  },
});

const copy = (copiers: readonly RowCopier[], devices: readonly number[]): Way => ({
  name: 'COPY',
  prepare: (lists, sender) =>
    lists.map((list) =>
      list
        .map(({ startTime, fileSize, bitrate, localFilePath }) =>
          [devices[sender], startTime * 1000, startTime * 1000 + 60_000, fileSize, bitrate, localFilePath].join('\t'),
        )
        .join('\n'),
    ),
  async send(text, sender) {
    await copiers[sender]?.copy(`copy audio_clips (${columns}) from stdin`, [text as string]);
  },
});

export interface CreateListSpeed {
  readonly ratio: number;
  readonly figures: string;
}

/** Rows per second of createlist over HTTP, as a ratio to a plain insert of the same rows; slices alternate. */
export async function compareCreateList(served: ServedClips, rounds: number): Promise<CreateListSpeed> {
  const db = connect(served.url, { connections: senders, name: 'bench' });
  const rows = await served.db<{ key: number }[]>`
    select key from devices where user_id = ${served.userID} order by key offset 10 limit ${3 * senders}`;
  const devices = rows.map(({ key }) => key);
  const copiers = await Promise.all(Array.from({ length: senders }, () => openRowCopier(served.url)));
  const ways = [
    overHttp(served),
    plainInsert(db, devices, served.userID),
    arrayInsert(db, devices.slice(senders)),
    copy(copiers, devices.slice(2 * senders)),
  ];
  const speeds = ways.map(() => [] as number[]);
  const recorders = ways.map(() => Array.from({ length: senders }, createRecorder));
  for (let round = -1; round < rounds; round++) {
    for (const [index, way] of ways.entries()) {
      const speed = await slice(way, recorders[index] ?? []);
      if (round >= 0) speeds[index]?.push(speed);
    }
  }
  await Promise.all([db.end(), ...copiers.map((copier) => copier.end())]);
  const [ours = [], plain = []] = speeds;
  const figures = ways.map(({ name }, index) => `${name} ${median(speeds[index] ?? []).toFixed(0)} rows/s`).join(', ');
  return { ratio: median(ours.map((speed, round) => speed / (plain[round] ?? 0))), figures };
}

/** Rows per second. */
async function slice(way: Way, recorders: readonly (() => Announced[])[]): Promise<number> {
  const prepared = recorders.map((record, sender) =>
    way.prepare(Array.from({ length: listsPerSender }, record), sender),
  );
  const start = performance.now();
  await Promise.all(
    prepared.map(async (lists, sender) => {
      for (const list of lists) await way.send(list, sender);
    }),
  );
  return (senders * listsPerSender * perList * 1000) / (performance.now() - start);
}
