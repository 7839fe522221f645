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
import { explainDenial, requireDevice } from '../access/rules.ts';
import { findAgentTypeByName } from '../agent-type/rules.ts';
import type { DeviceNames } from '../device/rules.ts';
import { findDeviceByNames } from '../device/rules.ts';
import { changeAgent, findAgent, listAgents, lockAgent, lockAgentProcess, putAgent, removeAgent } from './queries.ts';

export async function readAgent(db: Db, caller: Caller, agentID: number): Promise<Agent> {
  const agent = await findAgent(db, caller, agentID);
  if (!agent) throw notFound('agent', agentID);
  return agent;
}

/** Refuses a change of an agent that was not there to change: 404 when it may not be seen either. */
async function refuseChange(db: Db, caller: Caller, agentID: number): Promise<never> {
  await readAgent(db, caller, agentID);
  throw forbidden(explainDenial('device', 'write'));
}

/** What the queue does when an agent calls: release what a former process held, renew what this one is processing. */
export interface HeldEvents {
  release(
    tx: Db,
    caller: Caller,
    former: { agentID: number; processID: number; formerProcessID: number | null },
  ): Promise<void>;
  renew(tx: Db, agentID: number, processID: number | undefined): Promise<void>;
  /** The same as a part of a statement; `agents` is a query with their keys. */
  renewal(db: Db, agents: Fragment): Fragment;
}

export {
  type AgentContact,
  contactAgent,
  contactEverySeconds,
  findAgentsByKey,
  heardAgent,
  lockedAgent,
} from './queries.ts';

export async function registerAgent(
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
    const agentID = agent.key ?? 0;
    // A new process may have taken events before it registered; the record alone does not tell what the former held.
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

/** A report of the agent itself, so it counts as contact. */
export async function updateAgent(
  db: Db,
  heldEvents: HeldEvents,
  caller: Caller,
  agentID: number,
  update: AgentUpdate,
): Promise<void> {
  const agent = await changeAgent(db, caller, agentID, update, (agents) => heldEvents.renewal(db, agents));
  if (!agent) await refuseChange(db, caller, agentID);
}

export function createPatchRules(validator: Validator): PatchRules {
  const fields = Object.fromEntries(patchableAgentFields.map((name) => [name, agentChanges[name]]));
  return { fields, validate: validator.compile(AgentUpdateSchema) };
}

export async function patchAgent(
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
    // A description is a person's to change; the rest only the agent knows.
    const isContact = names.some((name) => name !== 'agentDescription');
    const renewal = isContact ? (agents: Fragment) => heldEvents.renewal(tx, agents) : undefined;
    return (await changeAgent(tx, caller, agentID, changes, renewal)) ?? agent;
  });
}

export async function deleteAgent(db: Db, caller: Caller, agentID: number): Promise<void> {
  if (!(await removeAgent(db, caller, agentID))) await refuseChange(db, caller, agentID);
}

export async function findAgents(db: Db, caller: Caller, filter: Static<typeof DateAndCountFilter>): Promise<Agent[]> {
  const { deviceID, count } = filter;
  const ascending = filter.order?.toLowerCase() === 'asc';
  const agents = await listAgents(db, caller, { deviceID, count, ascending, ...readDateRange(filter) });
  // Only an empty answer needs a second look: is there nothing, or is the device not theirs to see?
  if (agents.length === 0 && deviceID) await requireDevice(db, caller, 'read', deviceID);
  return agents;
}
