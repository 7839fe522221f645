import type { UploadKey } from '@earshot/contract/upload-key';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';

export const uploadKeys: Query<readonly UploadKey[]> = { key: 'upload keys', load: () => api.listUploadKeys() };

export const keyName = ({ uploadKeyDescription, key }: UploadKey): string =>
  uploadKeyDescription || `Upload key ${key ?? ''}`;
