// Calls a second: the rdio-scanner upload, and an announcement followed by a PUT of the sound, beside a bare handler
// that writes the same bytes and rows. Slices alternate, so that load on the machine affects all equally. The memory of
// the server is read after the first and after the last slices.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startEmbeddedPostgres } from '@earshot/server/platform/database/embedded/postgres';
import { silentLog } from '@earshot/server/testing/log';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { curlForm, trunkRecorderCall } from '../../tests/field/curl-form.ts';
import { median } from '../http/load.ts';
import { runServer } from '../http/processes.ts';
import { openBench } from '../open-bench.ts';
import { serveDatabase } from '../serve-database.ts';

const atOnce = 8;
const bench = openBench({
  name: 'ingest',
  goals: {
    'calls a second, as a ratio to the bare handler': { atLeast: 0.5 },
    'memory of the server, as a ratio to that after the first calls': { atMost: 1.5 },
  },
  sizes: { usual: { rounds: 5, sliceMs: 4_000 }, small: { rounds: 1, sliceMs: 300 } },
});
const { rounds, sliceMs } = bench.size;

const dataDir = await mkdtemp(join(tmpdir(), 'earshot-bench-'));
const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog });
const { url, server, people, admin } = await serveDatabase(postgres, dataDir, 'ingest');
const member = await people.add(admin);
const { secret: key = '' } = await member.session.createUploadKey({ body: {} });
const { key: deviceID = 0 } = await member.session.createDevice({ body: { deviceSerial: 'bench-own' } });
const { key: bareDevice = 0 } = await member.session.createDevice({ body: { deviceSerial: 'bench-bare' } });
const { credential } = await member.withKey({ deviceID });
const folder = join(dataDir, 'bare');
await mkdir(folder);
const bare = await runServer(['--import', 'tsx', fileURLToPath(new URL('./bare-server.ts', import.meta.url))], {
  EARSHOT_DATABASE_URL: url,
  BENCH_USER: String(member.userID),
  BENCH_DEVICE: String(bareDevice),
  BENCH_FOLDER: folder,
});

const sound = tinyWav(3);
const authorization = `Basic ${btoa(`${credential.accessKey}:${credential.secretKey}`)}`;
const firstStart = Math.floor(Date.now() / 1000) - 80_000;
let sent = 0;
/** Several talkgroups in each second, as in a busy system. */
const nextCall = () => ({ startTime: firstStart + Math.floor(sent / 5), talkgroup: 1 + (sent++ % 5) });

async function require200(response: Response): Promise<string> {
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.url} answered ${response.status}: ${text}`);
  return text;
}

const post = (address: string, init: RequestInit) => fetch(address, { method: 'POST', ...init }).then(require200);

const ways = {
  rdio: async () => {
    const form = curlForm(trunkRecorderCall({ key, sound, ...nextCall() }));
    const text = await post(`${server.url}/api/call-upload`, form);
    if (!text.startsWith('Call imported')) throw new Error(text);
  },
  own: async () => {
    const { startTime, talkgroup } = nextCall();
    const headers = { authorization, 'content-type': 'application/json' };
    const body = JSON.stringify({ startTime, startTimeMs: talkgroup });
    const clip = JSON.parse(await post(`${server.url}/v1/audioclip/bench-own`, { headers, body })) as { key: number };
    const content = `${server.url}/v1/audioclip/${clip.key}/content`;
    await require200(await fetch(content, { method: 'PUT', headers: { authorization }, body: sound }));
  },
  bare: async () => {
    const { startTime, talkgroup } = nextCall();
    await post(`${bare.url}/?start=${startTime * 1000}&talkgroup=${talkgroup}`, { body: sound });
  },
};

/** Calls a second during a slice. */
async function measure(way: keyof typeof ways): Promise<number> {
  const begun = performance.now();
  let done = 0;
  const sender = async () => {
    while (performance.now() - begun < sliceMs) {
      await ways[way]();
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  return (1000 * done) / (performance.now() - begun);
}

async function memoryMB(): Promise<number> {
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

const rates: Record<keyof typeof ways, number[]> = { rdio: [], own: [], bare: [] };
const names = Object.keys(rates) as (keyof typeof ways)[];
try {
  for (const name of names) await measure(name);
  const before = await memoryMB();
  for (let round = 0; round < rounds; round++) {
    for (const name of names) rates[name].push(await measure(name));
  }
  const after = await memoryMB();
  const reference = median(rates.bare);
  for (const name of ['rdio', 'own'] as const) {
    const ratio = median(rates[name].map((rate, round) => rate / (rates.bare[round] ?? 0)));
    const details = `${median(rates[name]).toFixed(0)} calls/s beside ${reference.toFixed(0)}/s bare, ${sound.length} bytes each`;
    const of = name === 'rdio' ? 'rdio-scanner upload' : 'announcement and PUT of the sound';
    bench.judge('calls a second, as a ratio to the bare handler', ratio, { of, details });
  }
  const details = `${before.toFixed(0)} MB, after ${sent} calls ${after.toFixed(0)} MB`;
  bench.judge('memory of the server, as a ratio to that after the first calls', after / before, { details });
} finally {
  await bare.stop();
  await server.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
}
bench.end();
