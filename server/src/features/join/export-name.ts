import { extname } from 'node:path';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { StoredFile } from '../file/public.ts';
import { findJoinEvent, findTitleOfFirst } from './queries.ts';

/** The name that the platform and agents give to a joined file; the number is the key of the event. */
const joinedName = /^joined-(\d{1,15})\.[a-z0-9]+$/;

/**
 * A joined file is downloaded under the title of its first clip. The name is made for each download and not stored,
 * because the file outlives the clips, and with a clip its title is removed. Undefined for any other file, and if the
 * caller may not read the clips or none is left.
 */
export async function findExportName(db: Db, caller: Caller, file: StoredFile): Promise<string | undefined> {
  const { key, deviceID, filename } = file;
  const eventID = joinedName.exec(filename)?.[1];
  if (eventID === undefined || deviceID === null) return undefined;
  const event = await findJoinEvent(db, deviceID, Number(eventID));
  // Anybody may call a file like this.
  if (!event || readField(event.result, 'fileID') !== key) return undefined;
  const clips = readField(event.eventParameters, 'audioClips');
  const keys = Array.isArray(clips) ? clips.filter((each) => Number.isSafeInteger(each)) : [];
  const title = await findTitleOfFirst(db, caller, deviceID, keys);
  if (title === undefined) return undefined;
  const others = keys.length > 1 ? ` and ${keys.length - 1} more` : '';
  return `${title}${others}${extname(filename)}`;
}

/** The texts of an event that an agent or a person wrote may be no JSON. */
function readField(text: string | null, name: string): unknown {
  try {
    return (JSON.parse(text ?? '') as Record<string, unknown> | null)?.[name];
  } catch {
    return undefined;
  }
}
