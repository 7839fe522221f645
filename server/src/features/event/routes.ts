import * as contract from '@earshot/contract/event';
import * as work from '@earshot/contract/event-work';
import { listEventPage, listSortedEvents } from '@earshot/contract/event-page';
import { eventStatuses } from '@earshot/contract/event-status';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { stopEvent, addEvent, clearPending, endProcess, findEvents, readHistory, acceptReport } from './rules.ts';
import { findEventPage, findSortedEvents } from './list/pages.ts';
import { takeNextEvent, pollEvents } from './take/rules.ts';
import type { CallingParts } from './parts.ts';
import { readEvent } from './read.ts';

export function serveEvents(http: HttpApp, parts: CallingParts): void {
  const { db } = parts;
  serveOnce(
    http,
    contract.createEvent,
    db,
    ({ caller, body }, within) => addEvent({ ...parts, db: within }, caller, body),
    ({ caller }, within, { key = 0 }) => readEvent(within, caller, key),
  );
  serve(http, contract.getEvent, ({ caller, params }) => readEvent(db, caller, params.eventID));
  serve(http, contract.listEvents, ({ caller, body }) => findEvents(db, caller, body));
  serve(http, listEventPage, ({ caller, body }) => findEventPage(db, caller, body));
  serve(http, listSortedEvents, ({ caller, body }) => findSortedEvents(db, caller, body));
  serve(http, work.listPendingEvents, ({ caller, body }) => pollEvents(parts, caller, body, false));
  serve(http, work.longPollEvents, ({ caller, body }) => pollEvents(parts, caller, body, true));
  serve(http, work.longPollEventList, ({ caller, body }) => pollEvents(parts, caller, body, true));
  serve(http, work.dequeueEvent, ({ caller, body, headers }) =>
    takeNextEvent(parts, caller, body, headers['x-take-id']),
  );
  serve(http, work.reportEvent, ({ caller, params, body, headers }) =>
    acceptReport(parts, caller, params.eventID, headers['x-take-id'], body),
  );
  serve(http, work.reportEventProgress, ({ caller, params, body, headers }) =>
    acceptReport(parts, caller, params.eventID, headers['x-take-id'], body),
  );
  serve(http, contract.cancelEvent, ({ caller, params }) => stopEvent(parts, caller, params.eventID));
  serve(http, contract.clearPendingEvents, ({ caller, params }) => clearPending(parts, caller, params.deviceID));
  serveOnce(
    http,
    contract.endEventProcess,
    db,
    ({ caller, params }, within) => endProcess({ ...parts, db: within }, caller, params.eventID),
    ({ caller }, within, { key = 0 }) => readEvent(within, caller, key),
  );
  serve(http, contract.listEventHistory, ({ caller, params }) => readHistory(db, caller, params.eventID));
  serve(http, contract.listEventStatuses, async () =>
    eventStatuses.map(({ key, name }) => ({ key, eventStatusName: name })),
  );
}
