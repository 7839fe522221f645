import * as contract from '@earshot/contract/overview';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { EventParts } from '../event/public.ts';
import { acknowledgeRecords } from './acknowledge.ts';
import { readDay } from './day.ts';
import { findAlerts } from './alerts.ts';
import { retryFailed } from './retry.ts';

export function serveOverview(http: HttpApp, db: Pool, events: EventParts): void {
  serve(http, contract.getDayOverview, ({ caller }) => readDay(db, caller, Date.now()));
  serve(http, contract.listAlerts, ({ caller }) => findAlerts(db, caller));
  serve(http, contract.acknowledgeAlert, ({ caller, body }) => acknowledgeRecords(db, caller, body));
  serve(http, contract.retryEvents, ({ caller, body }) => retryFailed(events, caller, body.eventIDs));
}
