import { listSoundExports } from '@earshot/contract/audio-clip-export';
import * as contract from '@earshot/contract/audio-clip-join';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { readEvent } from '../event/public.ts';
import type { ExportParts } from './export.ts';
import { exportClips, findExports } from './export.ts';
import { concatenateClips } from './rules.ts';

export function serveJoining(http: HttpApp, parts: ExportParts): void {
  const { db } = parts;
  serveOnce(
    http,
    contract.concatenateAudioClips,
    db,
    ({ caller, body, query }, within) =>
      concatenateClips({ ...parts, db: within }, caller, body, query.usevrs ?? false),
    ({ caller }, within, { key = 0 }) => readEvent(within, caller, key),
  );
  serveOnce(
    http,
    contract.exportAudioClips,
    db,
    ({ caller, body }, within) => exportClips({ ...parts, db: within }, caller, body),
    ({ caller }, within, { key = 0 }) => readEvent(within, caller, key),
  );
  serve(http, listSoundExports, ({ caller }) => findExports(parts, caller));
}
