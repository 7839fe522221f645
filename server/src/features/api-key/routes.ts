import * as contract from '@earshot/contract/api-key';
import { listKeyPage } from '@earshot/contract/api-key-page';
import { notFound } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { findTablePage } from '../../platform/table.ts';
import { keyTable } from './page-queries.ts';
import { requireDevice } from '../../access.ts';
import { describeKey, listKeys, listKeysOfDevice } from './queries.ts';
import type { KeyParts } from './rules.ts';
import { createKey, deleteKey, requireKey, restrictKey } from './rules.ts';

export function serveApiKeys(http: HttpApp, parts: KeyParts): void {
  const { db, useLog } = parts;
  serve(http, contract.createApiKey, ({ caller }) => createKey(parts, caller));
  serve(http, contract.createDeviceKey, ({ caller, params, body }) =>
    createKey(parts, caller, { deviceID: params.deviceID, isWriteOnly: body?.isWriteOnly ?? false }),
  );
  serve(http, contract.getApiKey, async ({ caller, params }) => {
    await useLog.flush();
    return requireKey(db, caller, params.apiKeyID);
  });
  serve(http, contract.updateApiKey, async ({ caller, params, body }) => {
    const found = await describeKey(db, caller, params.apiKeyID, body.aPIKeyDescription);
    if (!found) throw notFound('API key', params.apiKeyID);
  });
  serve(http, contract.deleteApiKey, ({ caller, params }) => deleteKey(parts, caller, params.apiKeyID));
  serve(http, contract.makeKeyWriteOnly, ({ caller, params }) => restrictKey(parts, caller, params.apiKeyID));
  serve(http, listKeyPage, async ({ caller, body }) => {
    await useLog.flush();
    return findTablePage(db, caller, keyTable, body);
  });
  serve(http, contract.listApiKeys, async ({ caller }) => {
    await useLog.flush();
    return listKeys(db, caller);
  });
  serve(http, contract.listDeviceKeys, async ({ caller, params }) => {
    await requireDevice(db, caller, 'read', params.deviceID);
    await useLog.flush();
    return listKeysOfDevice(db, caller, params.deviceID);
  });
}
