import { uploadTrunkRecorderCall } from '@earshot/contract/gateway';
import { defineFeature } from '../../../feature.ts';
import { serveGateway } from '../../../platform/http/serve-gateway.ts';
import { receiveUpload } from '../../../platform/uploads/receive-upload.ts';
import { importCall, refuseAsRdio } from '../rdio/import-call.ts';
import { recorderNeeds, recorderUploadParts } from '../recorder-upload/parts.ts';
import { readTrunkRecorderMeta } from './meta.ts';

const names = { key: 'key', sound: 'audio', texts: ['meta'] };

/** Takes calls in the older form of trunk-recorder, which rdio-scanner reads too. */
export const trunkRecorderGateway = defineFeature({
  name: 'gateway/trunk-recorder',
  needs: recorderNeeds,
  routes(http, allParts) {
    const parts = recorderUploadParts(allParts);
    serveGateway(http, uploadTrunkRecorderCall, {
      handle: (call) =>
        receiveUpload(parts, call, names, ({ key, fields, sound }) =>
          importCall(parts, key, readTrunkRecorderMeta(fields), sound, call.body.signal),
        ),
      refuse: refuseAsRdio,
    });
  },
});
