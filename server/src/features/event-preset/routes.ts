import * as contract from '@earshot/contract/event-preset';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { listReadablePresets } from './queries.ts';
import { createPreset, deletePreset, findPresets, requirePreset, runPreset, updatePreset } from './rules.ts';
import type { EventParts } from '../event/public.ts';

export function serveEventPresets(http: HttpApp, parts: EventParts): void {
  const { db } = parts;
  serve(http, contract.createEventPreset, ({ caller, body }) => createPreset(db, caller, body));
  serve(http, contract.listEventPresets, ({ caller }) => listReadablePresets(db, caller));
  serve(http, contract.listPresetsOfDevice, ({ caller, params }) => findPresets(db, caller, params.deviceID));
  serve(http, contract.getEventPreset, ({ caller, params }) => requirePreset(db, caller, 'read', params.eventPresetID));
  serve(http, contract.updateEventPreset, ({ caller, params, body }) =>
    updatePreset(db, caller, params.eventPresetID, body),
  );
  serve(http, contract.deleteEventPreset, ({ caller, params }) => deletePreset(db, caller, params.eventPresetID));
  serve(http, contract.runEventPreset, ({ caller, params, body }) =>
    runPreset(parts, caller, params.eventPresetID, body?.data),
  );
}
