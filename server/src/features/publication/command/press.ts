import { requireDevice } from '../../../access.ts';
import { conflict, Refusal } from '../../../errors.ts';
import type { Db, Pool } from '../../../platform/database/connect.ts';
import { inTransaction } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import type { BrokerMessage } from '../../../platform/mqtt/broker.ts';
import { recordAct } from '../../audit/public.ts';
import { enqueueHeldPreset, holdPresetToRun } from '../../event-preset/public.ts';
import type { CallingParts } from '../../event/public.ts';
import { pressPayload } from '../topics.ts';
import type { CommandKey } from './press-queries.ts';
import { holdCommand, noteEvent, takePress } from './press-queries.ts';
import { findCommands } from './queries.ts';
import { commandStateOf } from './rules.ts';

/*
 * MQTT gives no id to a message, and QoS 1 may bring it twice. So a press does nothing within a few seconds of the last
 * one of the same button, nor while the event of that press still waits for the device: however often a button is
 * pressed, one event waits.
 */

export interface PressParts {
  readonly db: Pool;
  readonly log: Log;
  readonly events: Pick<CallingParts, 'wakeups'>;
}

const againAfterSeconds = 5;
/** Presses that are carried out at the same time; more are ignored. */
const mostAtOnce = 20;

export interface Presses {
  /** `commands`: those that have a button now, by their topics. Everything else is ignored. */
  hear(message: BrokerMessage, commands: ReadonlyMap<string, CommandKey>): void;
  /** Resolves when what was heard is carried out. */
  settle(): Promise<unknown>;
}

export function createPresses(parts: PressParts): Presses {
  const running = new Map<string, Promise<void>>();
  return {
    hear({ topic, payload }, commands) {
      const command = commands.get(topic);
      if (!command || payload !== pressPayload || running.has(topic) || running.size >= mostAtOnce) return;
      running.set(
        topic,
        press(parts, command).finally(() => running.delete(topic)),
      );
    },
    settle: () => Promise.all(running.values()),
  };
}

async function press({ db, log, events }: PressParts, command: CommandKey): Promise<void> {
  try {
    const isEnqueued = await inTransaction(db, (tx) => enqueuePressed(tx, command));
    if (isEnqueued) events.wakeups.add([command.deviceID]);
  } catch (error) {
    if (error instanceof Refusal) log.info({ ...command, reason: error.message }, 'a command over MQTT was refused');
    else log.warn({ ...command, error }, 'a command over MQTT failed');
  }
}

/** With the rights that the publisher has now. False: it was pressed a moment ago. */
async function enqueuePressed(tx: Db, command: CommandKey): Promise<boolean> {
  const { deviceID, eventPresetID } = command;
  const publisher = (await holdCommand(tx, command)) ? await takePress(tx, command, againAfterSeconds) : undefined;
  if (!publisher) return false;
  await requireDevice(tx, publisher, 'own', deviceID);
  const preset = await holdPresetToRun(tx, publisher, eventPresetID);
  const [named] = await findCommands(tx, publisher, command);
  const isSame = named?.eventTypeID === preset?.eventTypeID && named?.eventParameters === preset?.eventParameters;
  if (!preset || !named || !isSame || commandStateOf(named) !== 'ready')
    throw conflict('The preset was changed or taken away since the button was made.');
  const { key } = await enqueueHeldPreset(tx, publisher, preset, deviceID);
  await noteEvent(tx, command, key);
  await recordAct(tx, publisher, 'command-pressed', { recordID: key, deviceID });
  return true;
}
