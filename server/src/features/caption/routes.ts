import * as contract from '@earshot/contract/caption';
import { getCaptionProgress } from '@earshot/contract/caption-progress';
import * as versions from '@earshot/contract/caption-version';
import type { HttpApp } from '../../platform/http/http-app.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { serveOnce, tellsNothing } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import type { ReadLog } from '../audit/public.ts';
import { confirmWords, saveCorrection, restoreVersion } from './correct/correct.ts';
import { writeSrt, writeVtt } from './read/formats.ts';
import { readProgress } from './read/progress.ts';
import { readCaption, readVersions } from './read/read.ts';
import type { RequestParts } from './order/request.ts';
import { requestCaptions, requestWords } from './order/request.ts';

export function serveCaptions(http: HttpApp, parts: RequestParts & { readonly readLog: ReadLog }): void {
  const { readLog } = parts;
  const { db } = parts.events;
  serveOnce(
    http,
    contract.captionAudio,
    db,
    ({ caller, params, query, body }, within) =>
      requestCaptions({ ...parts, events: { ...parts.events, db: within } }, caller, params.deviceSerial, query, body),
    tellsNothing,
  );
  serve(http, contract.captionWords, ({ caller, params }) => requestWords(parts, caller, params.captionID));
  serve(http, getCaptionProgress, ({ caller }) => readProgress(db, caller));
  serve(http, contract.getCaption, ({ caller, params }) => readCaption(db, caller, params.captionID));
  const downloadCaption = async (caller: Caller, captionID: number): Promise<contract.Caption> => {
    const caption = await readCaption(db, caller, captionID);
    readLog.note(caller, 'caption-downloaded', captionID, caption.deviceID);
    return caption;
  };
  serve(http, contract.getCaptionVtt, async ({ caller, params }) =>
    writeVtt(await downloadCaption(caller, params.captionID)),
  );
  serve(http, contract.getCaptionSrt, async ({ caller, params }) =>
    writeSrt(await downloadCaption(caller, params.captionID)),
  );
  serve(http, contract.correctCaption, ({ caller, params, body }) =>
    saveCorrection(db, caller, params.captionID, body),
  );
  serve(http, versions.listCaptionVersions, ({ caller, params }) => readVersions(db, caller, params.captionID));
  serve(http, versions.confirmCaption, ({ caller, params, body }) => confirmWords(db, caller, params.captionID, body));
  serve(http, versions.restoreCaption, ({ caller, params, body }) =>
    restoreVersion(db, caller, params.captionID, body.version),
  );
}
