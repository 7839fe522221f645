import { uploadRdioCall } from '@earshot/contract/gateway';
import { defineFeature } from '../../../feature.ts';
import { serveGateway } from '../../../platform/http/serve-gateway.ts';
import { receiveUpload } from '../../../platform/uploads/receive-upload.ts';
import { recorderNeeds, recorderUploadParts } from '../recorder-upload/parts.ts';
import { readRdioCall } from './call.ts';
import { importCall, refuseAsRdio } from './import-call.ts';

const names = { key: 'key', sound: 'audio' };

/** Takes calls from recorders that upload to rdio-scanner. */
export const rdioGateway = defineFeature({
  name: 'gateway/rdio',
  needs: recorderNeeds,
  routes(http, allParts) {
    const parts = recorderUploadParts(allParts);
    serveGateway(http, uploadRdioCall, {
      handle: (call) =>
        receiveUpload(parts, call, names, ({ key, fields, sound }) =>
          importCall(parts, key, readRdioCall(fields), sound, call.body.signal),
        ),
      refuse: refuseAsRdio,
    });
  },
});
