import { uploadRdioCall } from '@earshot/contract/gateway';
import { defineFeature } from '../../../feature.ts';
import { serveGateway } from '../../../platform/http/serve-gateway.ts';
import { receiveForm } from '../../../platform/recorder-form/receive-form.ts';
import { recorderNeeds, recorderParts } from '../call/parts.ts';
import { readRdioCall } from './call.ts';
import { importCall, refuseAsRdio } from './import-call.ts';

const names = { key: 'key', sound: 'audio' };

/** Receives calls from recorders that send to rdio-scanner. */
export const rdioGateway = defineFeature({
  name: 'gateway/rdio',
  needs: recorderNeeds,
  routes(http, allParts) {
    const parts = recorderParts(allParts);
    serveGateway(http, uploadRdioCall, {
      handle: (call) =>
        receiveForm(parts, call, names, ({ key, fields, sound }) =>
          importCall(parts, key, readRdioCall(fields), sound, call.body.signal),
        ),
      refuse: refuseAsRdio,
    });
  },
});
