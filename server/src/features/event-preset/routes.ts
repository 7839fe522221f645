import * as contract from '@earshot/contract/event-preset';
import { listPresetPage } from '@earshot/contract/event-preset-page';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { findTablePage } from '../../platform/table.ts';
import { presetTable } from './page-queries.ts';
import { listReadablePresets } from './queries.ts';
import { createPreset, deletePreset, findPresets, requirePreset, runPreset, updatePreset } from './rules.ts';
import type { EventParts } from '../event/public.ts';
import { requireEvents } from '../event/public.ts';

export function serveEventPresets(http: HttpApp, parts: EventParts): void {
  const { db } = parts;
  serveOnce(
    http,
    contract.createEventPreset,
    db,
    ({ caller, body }, within) => createPreset(within, caller, body),
    ({ caller }, within, { key = 0 }) => requirePreset(within, caller, 'read', key),
  );
  serve(http, listPresetPage, ({ caller, body }) => findTablePage(db, caller, presetTable, body));
  serve(http, contract.listEventPresets, ({ caller }) => listReadablePresets(db, caller));
  serve(http, contract.listPresetsOfDevice, ({ caller, params }) => findPresets(db, caller, params.deviceID));
  serve(http, contract.getEventPreset, ({ caller, params }) => requirePreset(db, caller, 'read', params.eventPresetID));
  serve(http, contract.updateEventPreset, ({ caller, params, body }) =>
    updatePreset(db, caller, params.eventPresetID, body),
  );
  serve(http, contract.deleteEventPreset, ({ caller, params }) => deletePreset(db, caller, params.eventPresetID));
  serveOnce(
    http,
    contract.runEventPreset,
    db,
    ({ caller, params, body }, within) => runPreset({ ...parts, db: within }, caller, params.eventPresetID, body?.data),
    ({ caller }, within, events) => requireEvents(within, caller, events),
  );
}
