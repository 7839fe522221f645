import * as contract from '@earshot/contract/device-health';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { requireReportingDevice } from '../device/public.ts';
import { selectHealthRows } from './queries.ts';
import {
  addHealth,
  drawHealth,
  editHealth,
  findHealthList,
  putLatestHealth,
  readHealth,
  readHealthValues,
  readLatestHealth,
} from './rules.ts';

export function serveDeviceHealth(http: HttpApp, { db }: { readonly db: Pool }): void {
  serveOnce(
    http,
    contract.createDeviceHealth,
    db,
    ({ caller, body }, within) => addHealth(within, caller, body),
    ({ caller, body }, within) => requireReportingDevice(within, caller, body),
  );
  serve(http, contract.updateLatestDeviceHealth, ({ caller, body }) => putLatestHealth(db, caller, body));
  serve(http, contract.getDeviceHealth, ({ caller, params }) => readHealth(db, caller, params.deviceHealthID));
  serve(http, contract.updateDeviceHealth, ({ caller, params, body }) =>
    editHealth(db, caller, params.deviceHealthID, body),
  );
  serve(http, contract.getLatestDeviceHealth, ({ caller, params }) => readLatestHealth(db, caller, params.deviceID));
  serve(http, contract.getHealthOfDevice, ({ caller, params }) => readHealthValues(db, caller, params.deviceID));
  serve(http, contract.listDeviceHealth, ({ caller, body }) => findHealthList(db, caller, body));
  serve(http, contract.listHealthOfDevices, ({ caller, query }) =>
    selectHealthRows(db, caller, {
      onlineOnly: query.status?.toLowerCase() === 'online',
      offset: query.offset ?? 0,
    }),
  );
  serve(http, contract.getHealthLineChart, ({ caller, params, body }) => drawHealth(db, caller, params.deviceID, body));
}
