import sqlite from 'node-sqlite3-wasm';

export interface MadeCall {
  readonly audio: Uint8Array | string | null;
  readonly time: number | string;
  readonly talkgroup?: number;
}

/** An archive with the tables that version 7 of rdio-scanner has, as far as calls need them. */
export function makeArchiveSeven(path: string, calls: readonly MadeCall[]): void {
  const db = new sqlite.Database(path);
  try {
    db.exec(`
      create table "systems" ("systemId" integer primary key, "label" text not null, "systemRef" integer not null);
      create table "tags" ("tagId" integer primary key, "label" text not null);
      create table "groups" ("groupId" integer primary key, "label" text not null);
      create table "talkgroups" ("talkgroupId" integer primary key, "label" text not null, "name" text not null, "systemId" integer, "tagId" integer, "talkgroupRef" integer);
      create table "talkgroupGroups" ("talkgroupGroupId" integer primary key, "groupId" integer, "talkgroupId" integer);
      create table "calls" ("callId" integer primary key autoincrement, "audio" blob, "audioFilename" text, "audioMime" text, "siteRef" integer default 0, "systemId" integer, "talkgroupId" integer, "timestamp" integer);
      create table "callFrequencies" ("callFrequencyId" integer primary key, "callId" integer, "frequency" integer, "offset" real);
      create table "callPatches" ("callPatchId" integer primary key, "callId" integer, "talkgroupId" integer);
      create table "callUnits" ("callUnitId" integer primary key, "callId" integer, "offset" real, "unitRef" integer);
      insert into "systems" values (3, 'County radio', 11);
      insert into "tags" values (5, 'Fire Dispatch');
      insert into "groups" values (6, 'Fire');
      insert into "talkgroups" values (21, 'FIRE DISP', 'Fire dispatch', 3, 5, 4521), (22, 'FIRE TAC', 'Fire tactical', 3, 5, 4522);
      insert into "talkgroupGroups" values (1, 6, 21);`);
    for (const { audio, time, talkgroup = 21 } of calls) {
      const { lastInsertRowid: id } = db.run(
        `insert into "calls" ("audio", "audioFilename", "audioMime", "systemId", "talkgroupId", "timestamp") values (?, 'call.wav', 'audio/wav', 3, ?, ?)`,
        [audio, talkgroup, time],
      );
      db.run(`insert into "callUnits" values (null, ?, 0, 1610018)`, [id]);
      db.run(`insert into "callFrequencies" values (null, ?, 851012500, 0)`, [id]);
      db.run(`insert into "callPatches" values (null, ?, 22)`, [id]);
    }
  } finally {
    db.close();
  }
}

/** The same with the tables of version 6. */
export function makeArchiveSix(path: string, calls: readonly MadeCall[]): void {
  const db = new sqlite.Database(path);
  try {
    db.exec(`
      create table "rdioScannerSystems" ("_id" integer primary key, "id" integer, "label" text);
      create table "rdioScannerTags" ("_id" integer primary key, "label" text);
      create table "rdioScannerGroups" ("_id" integer primary key, "label" text);
      create table "rdioScannerTalkgroups" ("_id" integer primary key, "groupId" integer, "id" integer, "label" text, "name" text, "systemId" integer, "tagId" integer);
      create table "rdioScannerCalls" ("id" integer primary key, "audio" longblob, "audioName" text, "audioType" text, "dateTime" datetime, "frequencies" text, "frequency" integer, "patches" text, "source" integer, "sources" text, "system" integer, "talkgroup" integer);
      insert into "rdioScannerSystems" values (1, 12, 'City radio');
      insert into "rdioScannerTags" values (1, 'Law Dispatch');
      insert into "rdioScannerGroups" values (1, 'Police');
      insert into "rdioScannerTalkgroups" values (1, 1, 777, 'PD MAIN', 'Police main', 12, 1);`);
    for (const { audio, time, talkgroup = 777 } of calls) {
      db.run(
        `insert into "rdioScannerCalls" values (null, ?, 'call.wav', 'audio/wav', ?, '[]', 460100000, '[]', 99, '[{"pos":0,"src":99}]', 12, ?)`,
        [audio, time, talkgroup],
      );
    }
  } finally {
    db.close();
  }
}
