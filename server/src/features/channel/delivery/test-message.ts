import type { ChannelTest } from '@earshot/contract/channel';
import { mostTestsPerHour } from '@earshot/contract/channel';
import { notFound, Refusal } from '../../../errors.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { hideReason, OutboundError } from '../../../platform/outbound/outbound-error.ts';
import { recordAct } from '../../audit/public.ts';
import type { SendAnswer } from '../kinds/kind.ts';
import { lockChannel } from '../queries.ts';
import type { ChannelSending } from './attempt.ts';
import { explain, noteAnswer, send } from './attempt.ts';
import type { TakenDelivery } from './take-queries.ts';
import { askToConfirm } from '../confirm/confirm.ts';
import { setEnded } from './end-queries.ts';
import { countTests, insertTest } from './test-queries.ts';

/** An address that has not been confirmed gets the link to confirm it. */
async function sendOrAsk(
  parts: ChannelSending,
  delivery: TakenDelivery,
  signal: AbortSignal,
): Promise<SendAnswer | string> {
  return (await askToConfirm(parts, delivery, signal)) ?? send(parts, delivery, signal);
}

/** Sends a message at once, also to a channel that pauses or is switched off. */
export async function sendTest(parts: ChannelSending, caller: Caller, channelID: number): Promise<ChannelTest> {
  const delivery = await inTransaction(parts.db, async (tx) => {
    const channel = await lockChannel(tx, caller, channelID);
    if (!channel) throw notFound('channel', channelID);
    if ((await countTests(tx, channel.userID)) >= mostTestsPerHour)
      throw new Refusal(
        'tooMany',
        `At most ${mostTestsPerHour} tests of one person's channels are sent in an hour. Try again later.`,
        {
          headers: { 'retry-after': '600' },
        },
      );
    await recordAct(tx, caller, 'channel-tested', { recordID: channelID });
    return insertTest(tx, channelID);
  });
  const answer = await sendOrAsk(parts, delivery, new AbortController().signal).catch((error: unknown): SendAnswer => {
    if (error instanceof OutboundError) return explain(error);
    throw error;
  });
  if (typeof answer === 'string') {
    await setEnded(parts.db, delivery.key, { state: 'dropped', reason: answer });
    return { isDelivered: false, answer };
  }
  const { outcome, status, said, excerpt } = answer;
  // A test is not repeated: somebody waits for what was answered.
  await noteAnswer(parts, delivery, outcome === 'later' ? { ...answer, outcome: 'refused' } : answer);
  return {
    isDelivered: outcome === 'accepted',
    answer: caller.role === 'admin' ? said : hideReason(said),
    ...(status === undefined ? {} : { status }),
    ...(caller.role === 'admin' && excerpt ? { excerpt } : {}),
  };
}
