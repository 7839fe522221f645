import * as contract from '@earshot/contract/device-position';
import type { Db } from '../../../platform/database/connect.ts';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { serve } from '../../../platform/http/serve.ts';
import { changePosition, readDevicePosition } from './rules.ts';

export function serveDevicePositions(http: HttpApp, { db }: { readonly db: Db }): void {
  serve(http, contract.getDevicePosition, ({ caller, params }) => readDevicePosition(db, caller, params.deviceID));
  serve(http, contract.setDevicePosition, ({ caller, params, body }) =>
    changePosition(db, caller, params.deviceID, body),
  );
}
