import * as contract from '@earshot/contract/audio-clip-version';
import { sendContent } from '../../../platform/http/answer/send-content.ts';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { serve } from '../../../platform/http/serve.ts';
import type { VersionParts } from './rules.ts';
import { eraseVersion, listFormerSound, readVersion } from './rules.ts';

export function serveVersions(http: HttpApp, parts: VersionParts): void {
  const { db } = parts.sounds;
  serve(http, contract.listAudioClipVersions, ({ caller, params }) => listFormerSound(db, caller, params.audioClipID));
  sendContent(http, contract.getAudioClipVersionContent, ({ caller, params }) =>
    readVersion(parts, caller, params.audioClipID, params.audioClipVersionID),
  );
  serve(http, contract.deleteAudioClipVersion, ({ caller, params }) =>
    eraseVersion(parts, caller, params.audioClipID, params.audioClipVersionID),
  );
}
