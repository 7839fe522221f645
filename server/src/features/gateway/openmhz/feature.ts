import { checkOpenMhzKey, uploadOpenMhzCall } from '@earshot/contract/gateway';
import { defineFeature } from '../../../feature.ts';
import type { Refusal } from '../../../errors.ts';
import type { GatewayAnswer } from '../../../platform/http/serve-gateway.ts';
import { serveGateway } from '../../../platform/http/serve-gateway.ts';
import type { ReceivedForm } from '../../../platform/recorder-form/receive-form.ts';
import { receiveForm } from '../../../platform/recorder-form/receive-form.ts';
import {
  isTrue,
  readEpochMs,
  readFrequencies,
  readJson,
  readName,
  readTalkgroup,
  readTalkgroups,
  readUnits,
  serialPart,
} from '../../../platform/recorder-form/read-values.ts';
import type { RecorderParts } from '../call/parts.ts';
import { recorderNeeds, recorderParts } from '../call/parts.ts';
import type { CallToStore } from '../call/store-call.ts';
import { storeCall } from '../call/store-call.ts';
import type { AcceptedKey } from '../../upload-key/public.ts';

const names = { key: 'api_key', sound: 'call' };
const probeNames = { ...names, mayBeUrlEncoded: true };
const done: GatewayAnswer = { status: 200, text: '' };
/** SDRTrunk of 2023 takes a text that begins `incomplete call data: no talkgroup` for "connected", in any case. */
const incomplete = (reason: string): GatewayAnswer => ({ status: 400, text: `Incomplete call data: ${reason}.\n` });

/** Recorders take 403 as "wrong key". */
const refuse = ({ status, code, message }: Refusal): GatewayAnswer => ({
  status: code === 'unauthenticated' ? 403 : status,
  text: `${message}\n`,
});

/** Receives calls from recorders that send to OpenMHz. */
export const openMhzGateway = defineFeature({
  name: 'gateway/openmhz',
  needs: recorderNeeds,
  routes(http, allParts) {
    const parts = recorderParts(allParts);
    serveGateway(http, uploadOpenMhzCall, {
      handle: (call) =>
        receiveForm(parts, call, names, (form) =>
          importCall(parts, String(call.params['shortName']), form, call.body.signal),
        ),
      refuse,
    });
    serveGateway(http, checkOpenMhzKey, {
      handle: (call) => receiveForm(parts, call, probeNames, async () => done),
      refuse,
    });
  },
});

async function importCall(
  parts: RecorderParts,
  shortName: string,
  { key, fields, sound }: ReceivedForm<AcceptedKey>,
  signal: AbortSignal,
): Promise<GatewayAnswer> {
  const call = readCall(shortName, key, fields);
  if (call.talkgroup === 0) return incomplete('no talkgroup in talkgroup_num');
  if (call.startMs === 0) return incomplete('no time in start_time');
  if (!sound || sound.size === 0)
    return isTrue(fields.get('encrypted')) ? done : incomplete('no sound in the part call');
  const outcome = await storeCall(parts, key, call, sound, signal);
  return outcome.kind === 'not sound' ? incomplete(outcome.reason) : done;
}

function readCall(shortName: string, key: AcceptedKey, fields: ReadonlyMap<string, string>): CallToStore {
  return {
    recorder: {
      source: JSON.stringify(['openmhz', shortName]),
      serial: `openmhz-${key.uploadKeyID}-${serialPart(shortName)}`,
      deviceName: shortName,
    },
    startMs: readEpochMs(fields.get('start_time')),
    talkgroup: readTalkgroup(fields.get('talkgroup_num')),
    label: null,
    name: null,
    groups: [],
    tag: null,
    units: readUnits(readJson(fields.get('source_list'))),
    talkerAlias: readName(fields.get('talker_alias')),
    frequencies: readFrequencies([fields.get('freq')]),
    isEmergency: isTrue(fields.get('emergency')),
    site: null,
    patches: readTalkgroups(readJson(fields.get('patch_list') ?? fields.get('patches'))),
  };
}
