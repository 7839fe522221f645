import type { Feature } from '../../feature.ts';
import { lockFilesOfDevice, removeFilesOfDevice } from './queries.ts';
import { serveFiles } from './routes.ts';
import { startFileSweep } from './sweep.ts';
import { createUploadAddresses } from './upload-address.ts';

export const file: Feature = {
  loops: (parts) => [startFileSweep({ ...parts, everyMs: parts.config.fileSweepSeconds * 1000 })],
  routes(http, parts) {
    const { publicOrigin } = parts.config;
    serveFiles(http, { ...parts, addresses: createUploadAddresses(parts.secretBox), publicOrigin });
  },
  deviceRemoval: { lock: lockFilesOfDevice, remove: removeFilesOfDevice },
};
