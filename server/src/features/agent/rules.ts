import type { Static } from 'typebox';
import type { Agent, AgentUpdate, DateAndCountFilter, RegisterAgent } from '@earshot/contract/agent';
import { agentChanges, AgentUpdate as AgentUpdateSchema, patchableAgentFields } from '@earshot/contract/agent';
import type { Patch } from '@earshot/contract/patch';
import type { Validator } from '@earshot/contract/validation';
import { forbidden, notFound, Refusal } from '../../errors.ts';
import type { Db, Fragment, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import { readDateRange } from '../../platform/date-range.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { PatchRules } from '../../platform/patch.ts';
import { changesOf } from '../../platform/patch.ts';
import { explainDenial, requireDevice } from '../../access.ts';
import { changeAgent, findAgent, selectAgents, lockAgent, lockAgentProcess, putAgent, removeAgent } from './queries.ts';
import type { HeldEvents } from './held-events.ts';
import { findAgentTypeByName } from './type-queries.ts';
import type { DeviceNames } from '../device/public.ts';
import { findDeviceByNames } from '../device/public.ts';

export async function readAgent(db: Db, caller: Caller, agentID: number): Promise<Agent> {
  const agent = await findAgent(db, caller, agentID);
  if (!agent) throw notFound('agent', agentID);
  return agent;
}

/** Throws when a change found no agent: 403 if the caller may read the agent, 404 if not. */
async function refuseChange(db: Db, caller: Caller, agentID: number): Promise<never> {
  await readAgent(db, caller, agentID);
  throw forbidden(explainDenial('device', 'write'));
}

export async function acceptRegistration(
  db: Pool,
  heldEvents: HeldEvents,
  caller: Caller,
  given: Static<typeof RegisterAgent>,
): Promise<Agent> {
  const deviceID = await requireNamedDevice(db, caller, given);
  const agentTypeID = await findAgentTypeByName(db, given.agentType);
  if (agentTypeID === undefined) throw new Refusal('invalid', `There is no agent type ${given.agentType}.`);
  const { agentIndex = 0, processID, agentVersion: version } = given;
  const registration = { deviceID, agentTypeID, agentIndex, processID, version };
  return inTransaction(db, async (tx) => {
    const formerProcessID = await lockAgentProcess(tx, registration);
    const agent = await putAgent(tx, caller, registration);
    if (!agent) throw unknownDevice(given);
    const { key: agentID } = agent;
    // A new process may have taken events before it registered, so its record does not show which process held them.
    if (processID) await heldEvents.release(tx, caller, { agentID, processID, formerProcessID });
    await heldEvents.renew(tx, agentID, processID || undefined);
    return readAgent(tx, caller, agentID);
  });
}

async function requireNamedDevice(db: Db, caller: Caller, names: DeviceNames): Promise<number> {
  const found = await findDeviceByNames(db, caller, 'write', names);
  if (typeof found === 'object') return found.deviceID;
  switch (found) {
    case 'unnamed':
      throw new Refusal('invalid', 'Name the device by deviceSerial or deviceName.');
    case 'ambiguous':
      throw new Refusal('invalid', `Several devices are named ${names.deviceName}; name it by deviceSerial.`);
    case 'unknown':
      throw unknownDevice(names);
  }
}

const unknownDevice = ({ deviceSerial, deviceName }: DeviceNames) =>
  new Refusal('invalid', `There is no device ${deviceSerial || deviceName} that you may write to.`);

/** Sent by the agent itself, so it counts as contact. */
export async function editAgent(
  db: Db,
  heldEvents: HeldEvents,
  caller: Caller,
  agentID: number,
  update: AgentUpdate,
): Promise<void> {
  const agent = await changeAgent(db, caller, agentID, update, (agents) => heldEvents.renewal(db, agents));
  if (!agent) await refuseChange(db, caller, agentID);
}

export function createAgentPatchRules(validator: Validator): PatchRules {
  const fields = Object.fromEntries(patchableAgentFields.map((name) => [name, agentChanges[name]]));
  return { fields, validate: validator.compile(AgentUpdateSchema) };
}

export async function editAgentByPatch(
  db: Pool,
  heldEvents: HeldEvents,
  rules: PatchRules,
  caller: Caller,
  agentID: number,
  patch: Patch,
): Promise<Agent> {
  return inTransaction(db, async (tx) => {
    const agent = await lockAgent(tx, caller, agentID);
    if (!agent) return refuseChange(tx, caller, agentID);
    const changes: AgentUpdate = changesOf(agent, patch, rules);
    const names = Object.keys(changes);
    if (names.length === 0) return agent;
    // People may change the description only; the agent reports the other fields.
    const isContact = names.some((name) => name !== 'agentDescription');
    const renewal = isContact ? (agents: Fragment) => heldEvents.renewal(tx, agents) : undefined;
    return (await changeAgent(tx, caller, agentID, changes, renewal)) ?? agent;
  });
}

export async function eraseAgent(db: Db, caller: Caller, agentID: number): Promise<void> {
  if (!(await removeAgent(db, caller, agentID))) await refuseChange(db, caller, agentID);
}

export async function findAgents(db: Db, caller: Caller, filter: Static<typeof DateAndCountFilter>): Promise<Agent[]> {
  const { deviceID, count } = filter;
  const ascending = filter.order?.toLowerCase() === 'asc';
  const agents = await selectAgents(db, caller, { deviceID, count, ascending, ...readDateRange(filter) });
  // Only an empty result needs a second query, which checks whether the caller may read the device.
  if (agents.length === 0 && deviceID) await requireDevice(db, caller, 'read', deviceID);
  return agents;
}
