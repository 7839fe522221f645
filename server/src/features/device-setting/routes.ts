import * as contract from '@earshot/contract/device-setting';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { EventParts } from '../event/public.ts';
import { editSetting, eraseSetting, findSettings, readSetting } from './rules.ts';

export function serveDeviceSettings(http: HttpApp, parts: EventParts): void {
  const { db } = parts;
  serve(http, contract.listDeviceSettings, ({ caller, params }) => findSettings(db, caller, params.deviceID));
  serve(http, contract.getDeviceSetting, ({ caller, params, query }) =>
    readSetting(db, caller, params.deviceID, query),
  );
  serve(http, contract.putDeviceSetting, ({ caller, params, query, body }) =>
    editSetting(parts, caller, params.deviceID, query, body),
  );
  serve(http, contract.deleteDeviceSetting, ({ caller, params, query }) =>
    eraseSetting(db, caller, params.deviceID, query),
  );
}
