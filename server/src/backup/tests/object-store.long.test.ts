import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test } from 'vitest';
import { startObjectStore } from '../../platform/storage/tests/object-store.ts';
import { silentLog } from '../../testing/log.ts';
import { baseConfig, startTestServer } from '../../testing/server.ts';
import { openPlace } from '../place.ts';
import { listBackups, openForBackup, openForRestore } from '../target.ts';
import { verifyInstallation } from '../verify.ts';
import { backUp, emptyInstallation, fill, readRows, restore } from './installations.ts';

const secretKey = Buffer.alloc(32, 7);

test('backups to an object store, from files in another bucket folder', needs('ceph'), async () => {
  const store = await startObjectStore();
  onTestFinished(() => store.stop());
  const { accessKey, secretKey: storeSecret, endpoint } = store;
  const keys = { accessKey, secretKey: storeSecret };
  const storage = { url: `s3://recordings/live?endpoint=${endpoint}`, ...keys };
  const server = await startTestServer({ secretKey, storage });
  onTestFinished(() => server.stop());
  const config = { ...baseConfig(server.dataDir, server.databaseUrl, secretKey), storage };
  await fill(server, 5);

  const place = () => openPlace(`s3://recordings/backups?endpoint=${endpoint}`, keys);
  const first = await backUp(config, await openForBackup(place(), 'a long passphrase'));
  expect(first).toMatchObject({ copiedFiles: 5, manifest: { files: { count: 5 } } });
  const second = await backUp(config, await openForBackup(place(), 'a long passphrase'), { keep: 1 });
  expect(second).toMatchObject({ copiedFiles: 0, removed: [first.manifest.id] });
  await expect(openForRestore(place(), 'another one')).rejects.toThrow('the passphrase is wrong');
  const target = await openForRestore(place(), 'a long passphrase');
  expect(await listBackups(target)).toEqual([second.manifest.id]);

  // To files in a folder, and to another place of the object store.
  for (const restored of [
    await emptyInstallation(),
    { ...(await emptyInstallation()), storage: { ...storage, url: `s3://recordings/restored?endpoint=${endpoint}` } },
  ]) {
    await restore(restored, target);
    expect(await readRows(restored)).toEqual(await readRows(config));
    expect(await verifyInstallation({ config: restored, log: silentLog, hashShare: 1 })).toMatchObject({
      files: 5,
      compared: 5,
      faults: [],
      unknown: [],
    });
  }
});
