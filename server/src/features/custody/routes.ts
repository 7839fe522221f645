import { exportCustody } from '@earshot/contract/custody';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { CustodyParts } from './rules.ts';
import { makeCustody } from './rules.ts';

export function serveCustody(http: HttpApp, parts: CustodyParts): void {
  serve(http, exportCustody, ({ caller, params }) => makeCustody(parts, caller, params.audioClipID));
}
