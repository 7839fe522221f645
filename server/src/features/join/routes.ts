import { listSoundExports } from '@earshot/contract/audio-clip-export';
import * as contract from '@earshot/contract/audio-clip-join';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { ExportParts } from './export.ts';
import { exportClips, findExports } from './export.ts';
import { concatenateClips } from './rules.ts';

export function serveJoining(http: HttpApp, parts: ExportParts): void {
  serve(http, contract.concatenateAudioClips, ({ caller, body, query }) =>
    concatenateClips(parts, caller, body, query.usevrs ?? false),
  );
  serve(http, contract.exportAudioClips, ({ caller, body }) => exportClips(parts, caller, body));
  serve(http, listSoundExports, ({ caller }) => findExports(parts, caller));
}
