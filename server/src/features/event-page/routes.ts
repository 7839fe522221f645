import { listEventPage } from '@earshot/contract/event-page';
import type { Db } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/app.ts';
import { serve } from '../../platform/http/serve.ts';
import { findEventPage } from './rules.ts';

export function serveEventPages(http: HttpApp, db: Db): void {
  serve(http, listEventPage, ({ caller, body }) => findEventPage(db, caller, body));
}
