import type { Db } from '../../../platform/database/connect.ts';
import type { Listening } from '../../../platform/listening/engine.ts';
import { withoutRegion } from '../../../platform/listening/spoken-languages.ts';
import { findSpokenLanguages } from '../../spoken-language/public.ts';
import { countRecentLanguages } from './task-queries.ts';

/** What is known of the languages on a device before a clip of it is transcribed. */
export async function findLikelyLanguages(
  db: Db,
  deviceID: number,
): Promise<Pick<Listening, 'languages' | 'recentLanguages'>> {
  const languages = [...new Set((await findSpokenLanguages(db, deviceID)).map(withoutRegion))];
  // With one language nothing is decided.
  const recentLanguages = languages.length === 1 ? {} : await countRecentLanguages(db, deviceID);
  return { languages, recentLanguages };
}
