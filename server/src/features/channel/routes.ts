import * as contract from '@earshot/contract/channel';
import * as deliveryContract from '@earshot/contract/delivery';
import * as disclosureContract from '@earshot/contract/disclosure';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { confirmAddress } from './confirm/confirm.ts';
import type { ChannelSending } from './delivery/attempt.ts';
import { findDeliveries } from './delivery/list.ts';
import { sendTest } from './delivery/test-message.ts';
import { changeDisclosure, readDisclosure } from './disclosure/rules.ts';
import { derivePushKey } from './kinds/push/push-key.ts';
import { addChannel, editChannel, eraseChannel, findChannels, readChannel, requireChannel } from './rules.ts';

export function serveChannels(http: HttpApp, parts: ChannelSending): void {
  const { db } = parts;
  serveOnce(
    http,
    contract.createChannel,
    db,
    ({ caller, body }, within) => addChannel({ ...parts, db: within }, caller, body),
    ({ caller }, within, { key = 0 }) => requireChannel(within, caller, key),
  );
  serve(http, contract.listChannels, ({ caller }) => findChannels(parts, caller));
  serve(http, contract.getPushKey, () => ({ publicKey: derivePushKey(parts.secretBox).publicKey }));
  serve(http, contract.getChannel, ({ caller, params }) => readChannel(parts, caller, params.channelID));
  serve(http, contract.updateChannel, ({ caller, params, body }) => editChannel(parts, caller, params.channelID, body));
  serve(http, contract.deleteChannel, ({ caller, params }) => eraseChannel(db, caller, params.channelID));
  serve(http, contract.confirmChannel, ({ body }) => confirmAddress(parts, body.token));
  serve(http, contract.testChannel, ({ caller, params }) => sendTest(parts, caller, params.channelID));
  serve(http, deliveryContract.listDeliveries, ({ caller, body }) => findDeliveries(db, caller, body));
  serve(http, disclosureContract.getDeviceDisclosure, ({ caller, params }) =>
    readDisclosure(db, caller, params.deviceID),
  );
  serve(http, disclosureContract.setDeviceDisclosure, ({ caller, params, body }) =>
    changeDisclosure(db, caller, params.deviceID, body),
  );
}
