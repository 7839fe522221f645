import { defineFeature } from '../../feature.ts';
import { findLinkSalt, lockFilesOfDevice, moveFilesOfDevice, removeFilesOfDevice } from './queries.ts';
import { serveFiles } from './routes.ts';
import { startFileSweep } from './sweep.ts';
import { createFileAddresses } from './file-address.ts';

export const file = defineFeature({
  name: 'file',
  needs: [
    'config',
    'db',
    'fileAddresses',
    'findExportName',
    'log',
    'readLog',
    'removeFormerSound',
    'secretBox',
    'storage',
  ],
  open: async ({ db, secretBox }) => ({ fileAddresses: createFileAddresses(secretBox, await findLinkSalt(db)) }),
  loops: (parts) => [startFileSweep({ ...parts, everyMs: parts.config.fileSweepSeconds * 1000 })],
  routes(http, parts) {
    const { publicOrigin } = parts.config;
    serveFiles(http, { ...parts, addresses: parts.fileAddresses, publicOrigin });
  },
  deviceRemoval: { lock: lockFilesOfDevice, remove: removeFilesOfDevice, move: moveFilesOfDevice },
});
