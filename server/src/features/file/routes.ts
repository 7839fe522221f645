import * as contract from '@earshot/contract/file';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { receiveBytes } from '../../platform/http/read/receive-bytes.ts';
import { sendContent } from '../../platform/http/answer/send-content.ts';
import { serve } from '../../platform/http/serve.ts';
import { completeUpload } from './finish.ts';
import type { FileParts } from './rules.ts';
import { announceFile, eraseFile, readAddressed, readContent, readFile } from './rules.ts';
import { findOffset, storeBytes } from './store-bytes.ts';

const offsetHeader = 'upload-offset';

export function serveFiles(http: HttpApp, parts: FileParts): void {
  serve(http, contract.createFile, ({ caller, body, exchange }) =>
    announceFile(parts, caller, body, exchange.ownOrigin),
  );
  serve(http, contract.createTemporaryFile, ({ caller, body, exchange }) =>
    announceFile(parts, caller, body, exchange.ownOrigin, contract.temporaryHours),
  );
  receiveBytes(http, contract.uploadFile, async ({ params, query, headers, exchange }, body) => {
    const offset = await storeBytes(parts, params.fileID, query, headers['content-range'], body);
    exchange.setHeader(offsetHeader, String(offset));
  });
  serve(http, contract.getUploadOffset, async ({ params, query, exchange }) => {
    exchange.setHeader(offsetHeader, String(await findOffset(parts, params.fileID, query)));
  });
  serve(http, contract.finishFile, ({ caller, params, exchange }) =>
    completeUpload(parts, caller, params.fileID, exchange.ownOrigin),
  );
  serve(http, contract.getFile, ({ caller, params, exchange }) =>
    readFile(parts, caller, params.fileID, exchange.ownOrigin),
  );
  sendContent(http, contract.downloadFile, ({ params, query }) => readAddressed(parts, params.fileID, query));
  sendContent(http, contract.getFileContent, ({ caller, params }) => readContent(parts, caller, params.fileID));
  serve(http, contract.deleteFile, ({ caller, params }) => eraseFile(parts, caller, params.fileID));
}
