import type { BrokerMessage } from '../../../platform/mqtt/broker.ts';
import { BrokerRefusal, openBroker } from '../../../platform/mqtt/broker.ts';
import type { MqttConfig } from '../../../platform/mqtt/mqtt-config.ts';
import { isTopic } from '../../../platform/mqtt/topic.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import type { Carrier, ChannelKind, SendAnswer } from './kind.ts';
import { dataOf, typeOf } from './webhook.ts';

const unset = 'the operator has set no MQTT broker (EARSHOT_MQTT_URL)';

/** Reason codes of MQTT 5 after which the same message may be taken: no reason, too many, too fast, a full quota. */
const passing: ReadonlySet<number> = new Set([0x80, 0x83, 0x93, 0x96, 0x97]);

/**
 * A topic of the operator's broker, below one of the channel itself: no channel can write to topics of other programs, or
 * to those of another channel.
 */
export const mqtt: ChannelKind = {
  isThirdParty: false,
  followsState: true,
  isRead: false,
  check: ({ topic = '' }, means) => [
    ...(isTopic(topic)
      ? []
      : [{ path: 'topic', message: 'must have 1 to 200 letters, digits, _, - or ., in levels separated by /' }]),
    ...(means.mqtt ? [] : [{ path: 'topic', message: `cannot be used: ${unset}` }]),
  ],
  reach: () => 'outside',
  async send(message, { topic = '' }, carrier) {
    const { mqtt: config } = carrier;
    if (!config) throw new OutboundError('failed', unset);
    const { messageID, date, channelID } = message;
    const data = dataOf(message);
    // The broker may give it out more than once: its id tells that it is the same.
    const payload = JSON.stringify({ id: messageID, type: typeOf(message), timestamp: date.toISOString(), data });
    return publish({ topic: `${config.topic}/channel/${channelID}/${topic}`, payload }, config, carrier);
  },
};

/** Never retained: what was said must not stay at the broker. */
async function publish(
  message: Pick<BrokerMessage, 'topic' | 'payload'>,
  config: MqttConfig,
  { outbound, signal, attemptMs }: Carrier,
): Promise<SendAnswer> {
  const deadline = AbortSignal.timeout(attemptMs);
  const done = new AbortController();
  try {
    const ended = AbortSignal.any([signal, deadline, done.signal]);
    const broker = await openBroker(config, { outbound, signal: ended });
    await broker.publish(message);
    await broker.close();
    return { outcome: 'accepted', said: `the broker took the message with the topic ${message.topic}` };
  } catch (error) {
    if (error instanceof BrokerRefusal) return readRefusal(error);
    if (signal.aborted) throw new OutboundError('stopped', 'the call was aborted', { cause: error });
    if (deadline.aborted) throw new OutboundError('late', 'the broker did not answer in time', { cause: error });
    throw error;
  } finally {
    done.abort();
  }
}

/** A refused connection may be mended by the operator, without a change of the channel. */
const readRefusal = ({ refused, code, message }: BrokerRefusal): SendAnswer => ({
  outcome: refused === 'connection' || passing.has(code) ? 'later' : 'refused',
  status: code,
  said: message,
});
