import * as contract from '@earshot/contract/device';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { findDevices, findOwnDevices } from './queries.ts';
import type { DeviceParts } from './rules.ts';
import { addDevice, eraseDevice, lookUpDevice, mergeDevices, editDevice, readDevice } from './rules.ts';

export function serveDevices(http: HttpApp, parts: DeviceParts): void {
  const { db } = parts;
  serve(http, contract.createDevice, ({ caller, body }) => addDevice(db, caller, body));
  serve(http, contract.getDevice, ({ caller, params }) => readDevice(db, caller, params.deviceID));
  serve(http, contract.updateDevice, ({ caller, params, body }) => editDevice(parts, caller, params.deviceID, body));
  serve(http, contract.setDeviceAnalytics, ({ caller, params }) =>
    editDevice(parts, caller, params.deviceID, { autoCaption: params.runAnalytics === 1 }),
  );
  serve(http, contract.deleteDevice, ({ caller, params }) => eraseDevice(parts, caller, params.deviceID));
  serve(http, contract.mergeDevice, ({ caller, params, body }) =>
    mergeDevices(parts, caller, params.deviceID, body.intoDeviceID),
  );
  serve(http, contract.listDevices, ({ caller, body }) => findDevices(db, caller, body));
  serve(http, contract.listOwnDevices, ({ caller }) => findOwnDevices(db, caller));
  serve(http, contract.findDeviceByName, ({ caller, body }) => lookUpDevice(db, caller, body));
}
