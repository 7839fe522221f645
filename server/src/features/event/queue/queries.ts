import type { Db } from '../../../platform/database/connect.ts';

interface Pending {
  readonly count: number;
  readonly ageSeconds: number;
}

export interface QueueCounts {
  readonly device: Pending;
  readonly platform: Pending;
  readonly held: number;
  /** Postbacks that are not delivered yet. */
  readonly postbacks: Pending;
  readonly devicesOnline: number;
}

interface CountRow {
  readonly forDevices: number;
  readonly forPlatform: number;
  readonly deviceAge: number;
  readonly platformAge: number;
  readonly held: number;
  readonly postbacks: number;
  readonly postbackAge: number;
  readonly devicesOnline: number;
}

/**
 * Reads the indexes that contain only pending, held or waiting rows. Keys rise with time, so the event with the smallest
 * key is the oldest.
 */
export async function countQueue(db: Db): Promise<QueueCounts> {
  const [row] = await db<CountRow[]>`
    with devices as (select count(*)::int as count, min(key) as oldest from events where event_status = 1 and server_event = 0),
    platform as (select count(*)::int as count, min(key) as oldest from events where event_status = 1 and server_event = 1),
    waiting as (select count(*)::int as count, min(creation_date) as oldest from postbacks where postback_state = 'waiting')
    select devices.count as "forDevices", platform.count as "forPlatform",
      coalesce((select extract(epoch from now() - creation_date) from events where key = devices.oldest), 0)::float8 as "deviceAge",
      coalesce((select extract(epoch from now() - creation_date) from events where key = platform.oldest), 0)::float8 as "platformAge",
      (select count(*)::int from events where event_status in (2, 3)) as held,
      waiting.count as postbacks,
      coalesce(extract(epoch from now() - waiting.oldest), 0)::float8 as "postbackAge",
      (select count(*)::int from online_devices) as "devicesOnline"
    from devices, platform, waiting`;
  if (!row) throw new Error('counting the queue returned no row');
  return {
    device: { count: row.forDevices, ageSeconds: row.deviceAge },
    platform: { count: row.forPlatform, ageSeconds: row.platformAge },
    held: row.held,
    postbacks: { count: row.postbacks, ageSeconds: row.postbackAge },
    devicesOnline: row.devicesOnline,
  };
}
