import * as contract from '@earshot/contract/postback';
import type { Db } from '../../../platform/database/connect.ts';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { serve } from '../../../platform/http/serve.ts';
import { readPostbacks } from './rules.ts';

export function servePostbacks(http: HttpApp, db: Db): void {
  serve(http, contract.listPostbacks, ({ caller, params }) => readPostbacks(db, caller, params.eventID));
}
