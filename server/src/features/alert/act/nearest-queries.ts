import { deviceRight } from '../../../access.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';

const mostMetres = 50_000;
/** A position that a device measured longer ago says nothing about where it is. */
const measuredWithinMinutes = 30;
const metresADegree = 111_320;

/**
 * The other devices nearest to the device that the caller may write to, the nearest first: with a position that was set by
 * hand, or was measured a short time ago. Distances are great circles.
 */
export async function findNearest(tx: Db, owner: Caller, deviceID: number, most: number): Promise<number[]> {
  const rows = await tx<{ key: number }[]>`
    with present as (
      select * from device_positions
      where source = 'hand' or position_date > now() - make_interval(mins => ${measuredWithinMinutes}))
    select d.key from present o join present p on p.device_id <> o.device_id
      and p.latitude between o.latitude - ${mostMetres / metresADegree}::float8 and o.latitude + ${mostMetres / metresADegree}::float8
      join devices d on d.key = p.device_id
      cross join lateral (
        select 2 * 6371008.8 * asin(least(1, sqrt(power(sin(radians(p.latitude - o.latitude) / 2), 2)
          + cos(radians(o.latitude)) * cos(radians(p.latitude)) * power(sin(radians(p.longitude - o.longitude) / 2), 2))))
          as metres) n
    where o.device_id = ${deviceID} and n.metres <= ${mostMetres} and ${deviceRight(tx, owner, 'write')}
    order by n.metres, d.key limit ${most}`;
  return rows.map(({ key }) => key);
}

/** The first devices of all. */
export async function findEveryDevice(tx: Db, most: number): Promise<number[]> {
  const rows = await tx<{ key: number }[]>`select key from devices order by key limit ${most}`;
  return rows.map(({ key }) => key);
}
