import { countFleetClips } from '@earshot/contract/audio-clip-fleet';
import * as contract from '@earshot/contract/audio-clip';
import * as coverage from '@earshot/contract/audio-clip-coverage';
import * as lists from '@earshot/contract/audio-clip-list';
import * as pages from '@earshot/contract/audio-clip-page';
import * as recording from '@earshot/contract/audio-clip-recording';
import * as radio from '@earshot/contract/radio';
import * as retention from '@earshot/contract/audio-clip-retention';
import { notFound, Refusal } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveListInPages } from '../../platform/http/serve-pages.ts';
import { serveOnce, tellsNothing } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Log } from '../../platform/log.ts';
import { announceClip, announceClipList, createClip } from './announce/announce.ts';
import { createClipPatchRules, deleteClip, patchClip, updateClip } from './change.ts';
import { readCoverage } from './list/coverage.ts';
import { readFleetClips } from './list/fleet.ts';
import { readHistogram } from './list/histogram.ts';
import { extractClips, findClips, findClipsOfDevices } from './list/lists.ts';
import { changeTitle, readRecording } from './recording/rules.ts';
import { changeLock, readLock } from './retention/lock.ts';
import { findClipPage } from './list/page.ts';
import { countExpiring } from './retention/retention.ts';
import { requestSound } from './announce/request-sound.ts';
import { findClipsWithTags } from './list/with-tags.ts';
import { findCall } from './radio/queries.ts';
import type { OrderCaptions } from './sound.ts';
import { requireClip } from './require-clip.ts';
import type { SoundParts } from '../file/public.ts';
import type { EventParts } from '../event/public.ts';

export interface AudioClipParts {
  readonly events: EventParts;
  readonly sounds: SoundParts;
  readonly orderCaptions: OrderCaptions;
  readonly log: Log;
}

export function serveAudioClips(http: HttpApp, { events, sounds, orderCaptions, log }: AudioClipParts): void {
  const { db, wakeups } = events;
  const parts = { db, wakeups, sounds, orderCaptions, log };
  const patchRules = createClipPatchRules(http.validator);
  serve(http, contract.createAudioClip, ({ caller, body }) => createClip(parts, caller, body));
  serve(http, contract.announceAudioClip, ({ caller, params, body }) =>
    announceClip(parts, caller, params.audioClipID, body),
  );
  serve(http, contract.announceAudioClips, ({ caller, params, body }) =>
    announceClipList(parts, caller, params.deviceSerial, body),
  );
  serve(http, contract.getAudioClip, ({ caller, params }) => requireClip(db, caller, 'read', params.audioClipID));
  serve(http, contract.updateAudioClip, ({ caller, params, body }) =>
    updateClip(parts, caller, params.audioClipID, body),
  );
  serve(http, contract.patchAudioClip, ({ caller, params, body }) =>
    patchClip(parts, patchRules, caller, params.audioClipID, body),
  );
  serve(http, contract.deleteAudioClip, ({ caller, params }) => deleteClip(db, caller, params.audioClipID));
  serveOnce(
    http,
    contract.requestUpload,
    db,
    ({ caller, body }, within) => requestSound({ ...events, db: within }, caller, body),
    tellsNothing,
  );

  serve(http, lists.refuseClipList, () => {
    throw new Refusal('notImplemented', 'Use POST /v1/audioclip/list to list clips.');
  });
  serve(http, lists.listAudioClips, ({ caller, body, query }) =>
    findClips(db, caller, body, query.alldevices ?? false),
  );
  serve(http, lists.listAudioClipsOfDevices, ({ caller, body }) => findClipsOfDevices(db, caller, body));
  serve(http, lists.listAudioClipsWithTags, ({ caller, body, query }) =>
    findClipsWithTags(db, caller, body, query.minutes),
  );
  serve(http, pages.listAudioClipPage, ({ caller, body }) => findClipPage(db, caller, body));
  serve(http, pages.countAudioClips, ({ caller, body }) => readHistogram(db, caller, body));
  serve(http, countFleetClips, ({ caller, body }) => readFleetClips(db, caller, body));
  serveListInPages(http, lists.extractAudioClips, ({ caller, body }) => extractClips(db, caller, body));

  serve(http, radio.getRadioCall, async ({ caller, params }) => {
    const call = await findCall(db, caller, params.audioClipID);
    if (!call) throw notFound('radio call of the audio clip', params.audioClipID);
    return call;
  });
  serve(http, coverage.getCoverage, ({ caller, body }) => readCoverage(db, caller, body));
  serve(http, retention.previewRetention, ({ caller, params, query }) =>
    countExpiring(db, caller, params.deviceID, query.retentionDays),
  );
  serve(http, retention.getAudioClipLock, ({ caller, params }) => readLock(db, caller, params.audioClipID));
  serve(http, retention.lockAudioClip, ({ caller, params }) => changeLock(db, caller, params.audioClipID, true));
  serve(http, retention.unlockAudioClip, ({ caller, params }) => changeLock(db, caller, params.audioClipID, false));

  serve(http, recording.getAudioClipRecording, ({ caller, params }) => readRecording(db, caller, params.audioClipID));
  serve(http, recording.updateAudioClipRecording, ({ caller, params, body }) =>
    changeTitle(db, caller, params.audioClipID, body.title),
  );
}
