import { builtInEventTypes, ownerOnlyEventTypes } from '@earshot/contract/event-type';
import { forbidden } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireUpdate } from '../../agent/public.ts';
import type { Actor } from '../transition/record-queries.ts';
import type { NewEvent } from './new-events.ts';
import { findDevicesOfOthers } from './owner-queries.ts';

/*
 * Events that replace the software of a device or restart it may be sent only by the owner of the device or an admin,
 * not by people with whom the device is shared, and not by the device itself. The only statement that adds events calls
 * `requireSender` first, so this holds for every way in which an event is created. Types are compared by key, because a
 * type may be named by an alias.
 */

const keyOf = (name: (typeof builtInEventTypes)[number]['name']): number =>
  builtInEventTypes.findIndex((type) => type.name === name) + 1;

const updateType = keyOf('Update_software');

/** Whether only the owner of a device and admins may send events of this type to it. */
export const isOwnerOnlyType = (eventTypeID: number): boolean => ownerOnlyEventTypes.includes(eventTypeID);

/** Who sends events: a caller, or the platform itself. */
export type Sender = Actor &
  Partial<Pick<Caller, 'role' | 'deviceID' | 'credential' | 'sessionID' | 'apiKeyID' | 'ruleID'>>;

/** Throws if the sender may not send one of the events, or if an update names no release of this platform. */
export async function requireSender(db: Db, events: readonly NewEvent[], sender: Sender): Promise<void> {
  const restricted = events.filter(({ eventTypeID }) => isOwnerOnlyType(eventTypeID));
  if (restricted.length === 0) return;
  await requireOwner(db, restricted, sender);
  const updates = restricted.filter(({ eventTypeID }) => eventTypeID === updateType);
  for (const text of new Set(updates.map(({ eventParameters }) => eventParameters))) await requireUpdate(db, text);
}

async function requireOwner(db: Db, events: readonly NewEvent[], sender: Sender): Promise<void> {
  const { userID, role, credential = '', deviceID } = sender;
  const denied = (devices: string) =>
    forbidden(`Only the owner or an admin may send Update_software and Reboot to ${devices}.`);
  if (userID === undefined || role === undefined || deviceID !== undefined) throw denied('a device');
  const keys = [...new Set(events.map((event) => event.deviceID))];
  const others = await findDevicesOfOthers(db, { userID, role, credential }, keys);
  if (others.length === 0) return;
  throw denied(`${others.length === 1 ? 'the device' : 'the devices'} ${others.join(', ')}`);
}
