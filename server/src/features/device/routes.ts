import * as contract from '@earshot/contract/device';
import type { HttpApp } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import { listDevices } from './queries.ts';
import type { DeviceParts } from './rules.ts';
import { createDevice, deleteDevice, lookUpDevice, readDevice, updateDevice } from './rules.ts';

export function serveDevices(http: HttpApp, parts: DeviceParts): void {
  const { db } = parts;
  serve(http, contract.createDevice, ({ caller, body }) => createDevice(db, caller, body));
  serve(http, contract.getDevice, ({ caller, params }) => readDevice(db, caller, params.deviceID));
  serve(http, contract.updateDevice, ({ caller, params, body }) => updateDevice(parts, caller, params.deviceID, body));
  serve(http, contract.deleteDevice, ({ caller, params }) => deleteDevice(parts, caller, params.deviceID));
  serve(http, contract.listDevices, ({ caller, body }) => listDevices(db, caller, body));
  serve(http, contract.findDeviceByName, ({ caller, body }) => lookUpDevice(db, caller, body));
}
