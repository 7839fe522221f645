import type { Storage } from '../../platform/storage/storage.ts';
import type { Content } from '../../platform/http/answer/send-content.ts';
import type { StoredFile } from './stored-queries.ts';

export const contentOf = (storage: Storage, file: StoredFile): Content => ({
  size: file.fileSize,
  contentType: file.contentType,
  filename: file.filename,
  // The bytes of a file never change, so its key is a valid ETag if there is no hash.
  version: file.sha256 ?? `file-${file.key}`,
  lastModified: file.date,
  read: (range) => storage.read(file.storageName, range),
});
