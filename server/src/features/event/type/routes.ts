import * as contract from '@earshot/contract/event-type';
import type { Pool } from '../../../platform/database/connect.ts';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { serve } from '../../../platform/http/serve.ts';
import { addEventType, editEventType, listTypes } from './rules.ts';

export function serveEventTypes(http: HttpApp, db: Pool): void {
  serve(http, contract.listEventTypes, () => listTypes(db, undefined));
  serve(http, contract.listEventTypesOfAgent, ({ body }) => listTypes(db, body.agentType));
  serve(http, contract.createEventType, ({ caller, body }) => addEventType(db, caller, body));
  serve(http, contract.updateEventType, ({ body }) => editEventType(db, body));
}
