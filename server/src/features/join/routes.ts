import * as contract from '@earshot/contract/audio-clip-join';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { concatenateClips, exportClips } from './rules.ts';
import type { CallingParts } from '../event/public.ts';

export function serveJoining(http: HttpApp, parts: CallingParts): void {
  serve(http, contract.concatenateAudioClips, ({ caller, body, query }) =>
    concatenateClips(parts, caller, body, query.usevrs ?? false),
  );
  serve(http, contract.exportAudioClips, ({ caller, body }) => exportClips(parts, caller, body));
}
