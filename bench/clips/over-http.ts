import { fileURLToPath } from 'node:url';
import type { LoadTarget } from '../http/load.ts';
import { measureRate, median } from '../http/load.ts';
import { runServer } from '../http/processes.ts';
import type { ServedClips } from './databases.ts';

export interface HttpSlices {
  readonly rounds: number;
  readonly sliceSeconds: number;
  readonly warmUpSeconds: number;
}

export interface HttpSpeed {
  readonly name: string;
  readonly ratio: number;
  readonly figures: string;
}

/** Lists per second through the whole server, as a ratio to a bare handler with the same statement. */
export async function compareOverHttp(served: ServedClips, slices: HttpSlices): Promise<readonly HttpSpeed[]> {
  const { url, userID, credential, server, db } = served;
  const rows = await db<{ key: number }[]>`select key from devices where user_id = ${userID} order by key limit 20`;
  const devices = rows.map(({ key }) => key);
  const script = fileURLToPath(new URL('./bare-server.ts', import.meta.url));
  const bare = await runServer(['--import', 'tsx', script], {
    EARSHOT_DATABASE_URL: url,
    BENCH_USER: String(userID),
  });
  const headers = {
    authorization: `Basic ${btoa(`${credential.accessKey}:${credential.secretKey}`)}`,
    'content-type': 'application/json',
  };
  const lists = [
    { name: 'list of a device over HTTP', path: '/v1/audioclip/list', body: { deviceID: devices[0] } },
    { name: 'list of 20 devices over HTTP', path: '/v1/audioclip/devices/list', body: { deviceIDList: devices } },
  ];
  try {
    const speeds: HttpSpeed[] = [];
    for (const { name, path, body } of lists) {
      const target = { method: 'POST', headers, body: JSON.stringify(body) } as const;
      const speed = await compare({ ...target, url: server.url + path }, { ...target, url: bare.url + path }, slices);
      speeds.push({ name, ...speed });
    }
    return speeds;
  } finally {
    await bare.stop();
  }
}

async function compare(
  target: LoadTarget,
  reference: LoadTarget,
  { rounds, sliceSeconds, warmUpSeconds }: HttpSlices,
): Promise<Omit<HttpSpeed, 'name'>> {
  await measureRate(target, warmUpSeconds);
  await measureRate(reference, warmUpSeconds);
  const [ours, theirs]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    ours.push(await measureRate(target, sliceSeconds));
    theirs.push(await measureRate(reference, sliceSeconds));
  }
  return {
    ratio: median(ours.map((speed, round) => speed / (theirs[round] ?? 0))),
    figures: `${median(ours).toFixed(0)}/s beside ${median(theirs).toFixed(0)}/s bare`,
  };
}
