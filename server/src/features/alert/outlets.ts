import type { Db } from '../../platform/database/connect.ts';
import type { Outlet, Told } from '../bell/public.ts';
import { bellOutlet } from '../bell/public.ts';

/** Every way in which people are told. */
const outlets: readonly Outlet[] = [bellOutlet];

export async function tellPeople(tx: Db, told: Told): Promise<void> {
  for (const outlet of outlets) await outlet.tell(tx, told);
}
