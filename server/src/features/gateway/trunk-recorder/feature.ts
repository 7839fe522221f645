import { uploadTrunkRecorderCall } from '@earshot/contract/gateway';
import { defineFeature } from '../../../feature.ts';
import { serveGateway } from '../../../platform/http/serve-gateway.ts';
import { receiveForm } from '../../../platform/recorder-form/receive-form.ts';
import { importCall, refuseAsRdio } from '../rdio/import-call.ts';
import { recorderNeeds, recorderParts } from '../call/parts.ts';
import { readTrunkRecorderMeta } from './meta.ts';

const names = { key: 'key', sound: 'audio', texts: ['meta'] };

/** Takes calls in the older form of trunk-recorder, which rdio-scanner reads too. */
export const trunkRecorderGateway = defineFeature({
  name: 'gateway/trunk-recorder',
  needs: recorderNeeds,
  routes(http, allParts) {
    const parts = recorderParts(allParts);
    serveGateway(http, uploadTrunkRecorderCall, {
      handle: (call) =>
        receiveForm(parts, call, names, ({ key, fields, sound }) =>
          importCall(parts, key, readTrunkRecorderMeta(fields), sound, call.body.signal),
        ),
      refuse: refuseAsRdio,
    });
  },
});
