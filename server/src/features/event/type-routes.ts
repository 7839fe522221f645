import * as contract from '@earshot/contract/event-type';
import type { Db } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { findEventTypes } from './type-queries.ts';
import { addEventType } from './type-rules.ts';

export function serveEventTypes(http: HttpApp, db: Db): void {
  serve(http, contract.listEventTypes, () => findEventTypes(db));
  serve(http, contract.createEventType, ({ caller, body }) => addEventType(db, caller, body));
}
