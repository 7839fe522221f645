import * as contract from '@earshot/contract/audio-clip-sound';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { receiveBytes } from '../../../platform/http/read/receive-bytes.ts';
import { sendContent } from '../../../platform/http/answer/send-content.ts';
import { serve } from '../../../platform/http/serve.ts';
import type { PutParts } from './put.ts';
import { putSound } from './put.ts';
import type { PlayParts } from './rules.ts';
import { readSound, readWaveform } from './rules.ts';
import { createWaveforms } from './waveforms.ts';

export function serveSound(http: HttpApp, parts: PutParts & PlayParts): void {
  const waveforms = createWaveforms(parts);
  sendContent(http, contract.getAudioClipContent, ({ caller, params }) => readSound(parts, caller, params.audioClipID));
  receiveBytes(http, contract.putAudioClipContent, ({ caller, params }, body) =>
    putSound(parts, caller, params.audioClipID, body),
  );
  serve(http, contract.getWaveform, ({ caller, params, query }) =>
    readWaveform(parts, waveforms, caller, params.audioClipID, query.points),
  );
}
