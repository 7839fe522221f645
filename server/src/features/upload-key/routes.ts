import * as contract from '@earshot/contract/upload-key';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { findUploadKeys } from './queries.ts';
import { addUploadKey, editUploadKey, eraseUploadKey, replaceSecret } from './rules.ts';

export function serveUploadKeys(http: HttpApp, { db }: { readonly db: Pool }): void {
  serve(http, contract.createUploadKey, ({ caller, body }) => addUploadKey(db, caller, body));
  serve(http, contract.listUploadKeys, ({ caller }) => findUploadKeys(db, caller));
  serve(http, contract.updateUploadKey, ({ caller, params, body }) =>
    editUploadKey(db, caller, params.uploadKeyID, body),
  );
  serve(http, contract.replaceUploadSecret, ({ caller, params, body }) =>
    replaceSecret(db, caller, params.uploadKeyID, body?.graceDays ?? 0),
  );
  serve(http, contract.deleteUploadKey, ({ caller, params }) => eraseUploadKey(db, caller, params.uploadKeyID));
}
