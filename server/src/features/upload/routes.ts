import * as contract from '@earshot/contract/upload';
import { proveUploads } from '@earshot/contract/upload-proof';
import type { Exchange } from '../../platform/http/exchange.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { receiveBytes } from '../../platform/http/read/receive-bytes.ts';
import { serve } from '../../platform/http/serve.ts';
import type { ProofParts } from './proof.ts';
import { proveStored } from './proof.ts';
import { readChecksum, requireVersion } from './protocol.ts';
import type { UploadState } from './receive.ts';
import { appendBytes, readState, startUpload } from './receive.ts';
import type { TusParts } from './rules.ts';
import { endUpload, listKnown } from './rules.ts';

export function serveUploads(http: HttpApp, parts: TusParts & ProofParts): void {
  const { db } = parts;
  serve(http, contract.describeUploads, () => undefined);
  receiveBytes(http, contract.createUpload, async ({ caller, headers, exchange }, body) => {
    requireVersion(headers);
    const state = await startUpload(
      parts,
      caller,
      {
        size: headers['upload-length'],
        metadata: headers['upload-metadata'],
        checksum: readChecksum(headers['upload-checksum']),
      },
      body,
    );
    exchange.setHeader('location', `/v1/upload/${state.upload.key}`);
    tellState(exchange, state);
  });
  serve(http, contract.getUpload, async ({ caller, params, headers, exchange }) => {
    requireVersion(headers);
    const state = await readState(parts, caller, params.uploadID);
    exchange.setHeader('upload-length', String(state.upload.size));
    if (state.upload.metadata !== '') exchange.setHeader('upload-metadata', state.upload.metadata);
    tellState(exchange, state);
  });
  receiveBytes(http, contract.appendUpload, async ({ caller, params, headers, exchange }, body) => {
    requireVersion(headers);
    const request = { offset: headers['upload-offset'], checksum: readChecksum(headers['upload-checksum']) };
    tellState(exchange, await appendBytes(parts, caller, params.uploadID, request, body));
  });
  serve(http, contract.deleteUpload, async ({ caller, params, headers }) => {
    requireVersion(headers);
    await endUpload(parts, caller, params.uploadID);
  });
  serve(http, contract.findKnownUploads, ({ caller, body }) => listKnown(db, caller, body.hashes));
  serve(http, proveUploads, ({ caller, body }) => proveStored(parts, caller, body));
}

function tellState(exchange: Exchange, { upload, offset, audioClipID }: UploadState): void {
  exchange.setHeader('upload-offset', String(offset));
  exchange.setHeader('upload-expires', upload.expirationDate.toUTCString());
  if (audioClipID !== null) exchange.setHeader(contract.clipIdHeader, String(audioClipID));
}
