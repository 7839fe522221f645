import type { LiveRecord } from '../../platform/changes/live-record.ts';
import type { Pool } from '../../platform/database/connect.ts';
import { makePartitions } from '../../platform/changes/partitions.ts';
import type { Metrics } from '../../platform/http/door/metrics.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Feed } from './feed.ts';
import { createFeed } from './feed.ts';
import { createNews } from './news.ts';
import { watchOpenTransactions } from './open-transactions.ts';
import { encodePosition } from './position.ts';
import { forgetFormerDatabase, sweepChanges } from './queries.ts';
import { compileKinds } from './records.ts';
import type { LiveStreams, StreamParts } from './streams.ts';
import { createStreams } from './streams.ts';
import { recordOfflineDevices } from '../device/public.ts';

const checkIntervalMs = 1_000;
const beatMs = 15_000;
const sweepMs = 300_000;
/** The number of devices that one statement records; the others follow a second later. */
const mostAtOnce = 500;

export interface Live {
  readonly streams: LiveStreams;
  /** For features that follow the changes with a place of their own. */
  readonly changes: Pick<Feed, 'after' | 'between' | 'findEnd'>;
  /** Where a stream begins that is to send every change from now on. */
  readonly findPlace: () => Promise<string>;
  /** Called after a request that may have changed something. */
  readonly noteChange: () => void;
  stop(): Promise<void>;
}

interface LiveParts extends StreamParts {
  readonly db: Pool;
  readonly metrics: Metrics;
  readonly records: readonly LiveRecord[];
  /** How long the log of changes is kept. */
  readonly changeHours: number;
}

/** The live stream and presence: starts all background work of a node for them. */
export async function startLive(parts: LiveParts): Promise<Live> {
  const { db, log, metrics } = parts;
  await forgetFormerDatabase(db);
  const open = watchOpenTransactions(db, log);
  metrics.addGauge(
    'earshot_live_waiting_seconds',
    'For how long changes have waited for an open transaction of this database before they are sent; 0 if none do.',
    open.waitedSeconds,
  );
  const feed = createFeed(db, compileKinds(parts.records), open);
  const streams = createStreams(parts, feed);
  const readNew = () => void (streams.size > 0 && feed.look().catch(() => {}));
  const news = createNews(parts, readNew);

  const loops = [
    startLoop('live changes', checkIntervalMs, () => feed.look(), log),
    startLoop(
      'live listeners',
      checkIntervalMs,
      async () => void (streams.size > 0 && (await news.tellListening())),
      log,
    ),
    startLoop('live heartbeat', beatMs, () => streams.beat(), log),
    startLoop('live partitions', sweepMs, () => makePartitions(db), log, 0),
    startLoop('live sweep', sweepMs, () => sweepChanges(db, parts.changeHours), log, 0),
    startLoop(
      'presence',
      checkIntervalMs,
      async () => void ((await recordOfflineDevices(db, mostAtOnce)) > 0 && news.noteChange()),
      log,
    ),
  ];
  return {
    streams,
    changes: feed,
    findPlace: async () => encodePosition(await feed.findEnd()),
    noteChange: news.noteChange,
    async stop() {
      streams.close();
      for (const stopLoop of loops) await stopLoop();
    },
  };
}
