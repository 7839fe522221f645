import { allowDeviceCommand, getDevicePublication, setDevicePublication } from '@earshot/contract/publication';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { PublicationParts } from './rules.ts';
import { changeAllowance, changePublication, readPublication } from './rules.ts';

export function servePublications(http: HttpApp, parts: PublicationParts): void {
  serve(http, getDevicePublication, ({ caller, params }) => readPublication(parts, caller, params.deviceID));
  serve(http, setDevicePublication, ({ caller, params, body }) =>
    changePublication(parts, caller, params.deviceID, body),
  );
  serve(http, allowDeviceCommand, ({ caller, params, body }) => changeAllowance(parts, caller, params.deviceID, body));
}
