import { agentTypes } from '@earshot/contract/agent-type';
import { putAgentTypes } from '@earshot/server/features/agent/type-queries';
import { putEventTypes } from '@earshot/server/features/event/type/queries';
import type { Taker } from '@earshot/server/features/event/take/queries';
import type { Actor } from '@earshot/server/features/event/transition/record-queries';
import type { NewEvent } from '@earshot/server/features/event/enqueue/new-events';
import type { Pool } from '@earshot/server/platform/database/connect';
import { lockedAgent } from '@earshot/server/features/agent/public';

/**
 * A device with one agent, and the event that is sent to it repeatedly. Its type is one that everybody may send who may
 * write to the device, as most are: for the others, the platform looks up the owner first.
 */
export interface Fleet {
  readonly actor: Actor;
  readonly taker: Taker;
  readonly agentID: number;
  readonly newEvent: NewEvent;
}

const agentTypeID = agentTypes.findIndex(({ name }) => name === 'Device') + 1;

export async function createFleet(db: Pool): Promise<Fleet> {
  await putAgentTypes(db);
  await putEventTypes(db);
  const [row] = await db<{ userID: number; deviceID: number; agentID: number; eventTypeID: number }[]>`
    with person as (
      insert into users (email, password_hash, postback_secret, role) values ('bench@example.org', '', '', 'admin')
      returning key),
    device as (
      insert into devices (user_id, device_serial, device_name) select key, 'bench', 'bench' from person returning key, user_id),
    agent as (
      insert into agents (device_id, agent_type_id, agent_index) select key, ${agentTypeID}, 0 from device
      returning key, device_id)
    select device.user_id as "userID", device.key as "deviceID", agent.key as "agentID",
      (select key from event_types where event_type_name = 'Report_diagnostics') as "eventTypeID"
    from device, agent`;
  if (!row) throw new Error('the fleet of the benchmark was not created');
  const { userID, deviceID, agentID, eventTypeID } = row;
  return {
    actor: { userID },
    taker: { deviceID, agentTypeID, agent: lockedAgent(db, agentID), processID: 1, takeID: null, renews: true },
    agentID,
    newEvent: {
      deviceID,
      agentTypeID,
      eventTypeID,
      serverEvent: 0,
      eventParameters: '{}',
      priority: 0,
      expirationEpoch: 0,
      maxAttempts: 1,
      tagString: null,
      tagNumber: null,
    },
  };
}
