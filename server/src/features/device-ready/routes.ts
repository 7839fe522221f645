import * as contract from '@earshot/contract/device-ready';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { requireReportingDevice } from '../device/public.ts';
import type { EventParts } from '../event/public.ts';
import { acceptReady, chooseReadyPreset, chooseStartupPreset, readReadiness } from './rules.ts';

export function serveDeviceReadiness(http: HttpApp, parts: EventParts): void {
  const { db } = parts;
  serveOnce(
    http,
    contract.reportDeviceReady,
    db,
    ({ caller, body }, within) => acceptReady({ ...parts, db: within }, caller, body),
    ({ caller, body }, within) => requireReportingDevice(within, caller, body),
  );
  serve(http, contract.getDeviceReadiness, ({ caller, params }) => readReadiness(db, caller, params.deviceID));
  serve(http, contract.setReadyPreset, ({ caller, params, body }) =>
    chooseReadyPreset(db, caller, params.deviceID, body.eventPresetID),
  );
  serve(http, contract.setStartupPreset, ({ caller, params, body }) =>
    chooseStartupPreset(db, caller, params.eventPresetID, body ?? {}),
  );
  serve(http, contract.clearStartupPreset, async ({ caller, params }) => {
    await chooseReadyPreset(db, caller, params.deviceID, null);
  });
}
