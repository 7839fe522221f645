import * as contract from '@earshot/contract/tag';
import type { Pool } from '../../../platform/database/connect.ts';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { serve } from '../../../platform/http/serve.ts';
import { findTags } from './queries.ts';
import { findTagsOfClip, tagClip, untagClip } from './rules.ts';

export function serveTags(http: HttpApp, db: Pool): void {
  serve(http, contract.listTags, ({ caller }) => findTags(db, caller));
  serve(http, contract.listAudioClipTags, ({ caller, params }) => findTagsOfClip(db, caller, params.audioClipID));
  serve(http, contract.createAudioClipTag, ({ caller, params, body }) => tagClip(db, caller, params.audioClipID, body));
  serve(http, contract.deleteAudioClipTag, ({ caller, params }) =>
    untagClip(db, caller, params.audioClipID, params.audioClipTagID),
  );
}
