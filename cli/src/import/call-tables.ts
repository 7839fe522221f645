import type { ArchiveRow } from './rows.ts';
import { readRowNumber, readRowText } from './rows.ts';

/** The tables of rdio-scanner, version 7 and 6, and how a row becomes the fields of an upload. */

/** The part of the library that is used. */
export interface SqliteDatabase {
  all(sql: string, values?: (string | number)[]): unknown[];
  get(sql: string, values?: (string | number)[]): unknown;
  exec(sql: string): void;
  close(): void;
}

export interface CallTable {
  readonly version: 6 | 7;
  readonly table: string;
  readonly id: string;
  readonly time: string;
  /** Expressions for the facts of a row, without its audio. */
  readonly columns: string;
  /** The fields of the upload; or why the row cannot be imported. */
  fieldsOf(callID: number, row: ArchiveRow): Readonly<Record<string, string>> | string;
}

/** Longer texts are cut by the server anyway. */
const longestText = 4_000;
const mostListed = 200;
/** Larger lists of names are read in part. */
const mostNames = 100_000;

const cut = (column: string, length = longestText): string => `substr("${column}", 1, ${length})`;

export function versionSeven(db: SqliteDatabase, isPlain: (table: string) => boolean): CallTable {
  const systems = readNames(
    db,
    isPlain('systems'),
    `select "systemId" as key, "systemRef" as number, ${cut('label')} as label from "systems"`,
  );
  const tags = readNames(db, isPlain('tags'), `select "tagId" as key, ${cut('label')} as label from "tags"`);
  const groups = readNames(
    db,
    isPlain('groups') && isPlain('talkgroupGroups'),
    `select t."talkgroupId" as key, substr(g."label", 1, ${longestText}) as label from "talkgroupGroups" t join "groups" g on g."groupId" = t."groupId"`,
  );
  const talkgroups = readNames(
    db,
    isPlain('talkgroups'),
    `select "talkgroupId" as key, "talkgroupRef" as number, ${cut('label')} as label, ${cut('name')} as name, "tagId" as tag from "talkgroups"`,
  );
  const numbers = (has: boolean, sql: string, callID: number): number[] =>
    has
      ? db
          .all(`${sql} limit ${mostListed}`, [callID])
          .map((row) => readRowNumber(row as ArchiveRow, 'number'))
          .filter((value) => value !== undefined)
      : [];
  const [hasUnits, hasFrequencies, hasPatches] = ['callUnits', 'callFrequencies', 'callPatches'].map(isPlain);
  return {
    version: 7,
    table: 'calls',
    id: 'callId',
    time: 'timestamp',
    columns: `"systemId" as system, "talkgroupId" as talkgroup, "siteRef" as site, "timestamp" as time, ${cut('audioFilename', 200)} as audioName, ${cut('audioMime', 100)} as audioType`,
    fieldsOf(callID, row) {
      const system = systems.get(readRowNumber(row, 'system') ?? -1);
      const talkgroupKey = readRowNumber(row, 'talkgroup') ?? -1;
      const talkgroup = talkgroups.get(talkgroupKey);
      const time = readRowNumber(row, 'time');
      if (system?.['number'] === undefined) return 'Its system is not in the archive.';
      if (talkgroup?.['number'] === undefined) return 'Its talkgroup is not in the archive.';
      if (time === undefined || time <= 0) return 'It has no valid time.';
      const units = numbers(
        hasUnits!,
        `select "unitRef" as number from "callUnits" where "callId" = ? order by "offset"`,
        callID,
      );
      const [frequency] = numbers(
        hasFrequencies!,
        `select "frequency" as number from "callFrequencies" where "callId" = ? order by "offset"`,
        callID,
      );
      const patches = numbers(
        hasPatches!,
        `select "talkgroupId" as number from "callPatches" where "callId" = ?`,
        callID,
      )
        .map((key) => talkgroups.get(key)?.['number'])
        .filter((value) => value !== undefined);
      const site = readRowNumber(row, 'site') ?? 0;
      return onlyGiven({
        system: system['number'],
        systemLabel: system['label'],
        site: site > 0 ? site : undefined,
        timestamp: time,
        talkgroup: talkgroup['number'],
        talkgroupLabel: talkgroup['label'],
        talkgroupName: talkgroup['name'],
        talkgroupGroup: groups.get(talkgroupKey)?.['label'],
        talkgroupTag: tags.get(Number(talkgroup['tag'] ?? -1))?.['label'],
        frequency,
        sources: units.length > 0 ? JSON.stringify(units.map((src) => ({ pos: 0, src }))) : undefined,
        patches: patches.length > 0 ? JSON.stringify(patches) : undefined,
      });
    },
  };
}

export function versionSix(db: SqliteDatabase, isPlain: (table: string) => boolean): CallTable {
  const systems = readNames(
    db,
    isPlain('rdioScannerSystems'),
    `select "id" as key, ${cut('label')} as label from "rdioScannerSystems"`,
  );
  const tags = readNames(
    db,
    isPlain('rdioScannerTags'),
    `select "_id" as key, ${cut('label')} as label from "rdioScannerTags"`,
  );
  const groups = readNames(
    db,
    isPlain('rdioScannerGroups'),
    `select "_id" as key, ${cut('label')} as label from "rdioScannerGroups"`,
  );
  const talkgroups = readNames(
    db,
    isPlain('rdioScannerTalkgroups'),
    `select "systemId" || ' ' || "id" as key, ${cut('label')} as label, ${cut('name')} as name, "tagId" as tag, "groupId" as "group" from "rdioScannerTalkgroups"`,
  );
  return {
    version: 6,
    table: 'rdioScannerCalls',
    id: 'id',
    time: 'dateTime',
    columns: `"system" as system, "talkgroup" as talkgroup, ${cut('dateTime', 40)} as time, "frequency" as frequency, "source" as source, ${cut('sources', 20_000)} as sources, ${cut('patches', 4_000)} as patches, ${cut('audioName', 200)} as audioName, ${cut('audioType', 100)} as audioType`,
    fieldsOf(_callID, row) {
      const system = readRowNumber(row, 'system');
      const talkgroup = readRowNumber(row, 'talkgroup');
      const time = readOldTime(readRowText(row, 'time', 40));
      if (system === undefined || system <= 0) return 'It has no system.';
      if (talkgroup === undefined || talkgroup <= 0) return 'It has no talkgroup.';
      if (time === undefined) return 'It has no valid time.';
      const names = talkgroups.get(`${system} ${talkgroup}`);
      return onlyGiven({
        system,
        systemLabel: systems.get(system)?.['label'],
        timestamp: time,
        talkgroup,
        talkgroupLabel: names?.['label'],
        talkgroupName: names?.['name'],
        talkgroupGroup: groups.get(Number(names?.['group'] ?? -1))?.['label'],
        talkgroupTag: tags.get(Number(names?.['tag'] ?? -1))?.['label'],
        frequency: readRowNumber(row, 'frequency'),
        source: readRowNumber(row, 'source'),
        sources: readRowText(row, 'sources', 20_000) || undefined,
        patches: readRowText(row, 'patches', 4_000) || undefined,
      });
    },
  };
}

/** `2022-11-25 08:30:00.000 -05:00`, or another ISO time; without a zone it is UTC. */
function readOldTime(text: string): number | undefined {
  const found = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d(?:\.\d{1,9})?) ?(Z|[+-]\d\d:\d\d)?/.exec(text);
  const ms = found ? Date.parse(`${found[1]}T${found[2]!.slice(0, 12)}${found[3] ?? 'Z'}`) : NaN;
  return ms > 0 ? ms : undefined;
}

type Names = ReadonlyMap<string | number, Readonly<Record<string, string | number | undefined>>>;

function readNames(db: SqliteDatabase, exists: boolean, sql: string): Names {
  if (!exists) return new Map();
  try {
    return new Map(
      db.all(`${sql} limit ${mostNames}`).map((each) => {
        const row = each as ArchiveRow;
        const key = readRowNumber(row, 'key') ?? readRowText(row, 'key', 100);
        return [
          key,
          {
            number: readRowNumber(row, 'number'),
            label: readRowText(row, 'label', longestText) || undefined,
            name: readRowText(row, 'name', longestText) || undefined,
            tag: readRowNumber(row, 'tag'),
            group: readRowNumber(row, 'group'),
          },
        ];
      }),
    );
  } catch {
    // Calls can be imported without the names of their talkgroups.
    return new Map();
  }
}

function onlyGiven(fields: Readonly<Record<string, string | number | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, value]) => value !== undefined && value !== '')
      .map(([name, value]) => [name, String(value)]),
  );
}
