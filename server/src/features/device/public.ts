export {
  cameOnline,
  noteContact,
  recordOfflineDevices,
  recordPoll,
  recordPolls,
  sweepOnlineTimes,
} from './contact-queries.ts';
export type { DeviceNames } from './find-by-name.ts';
export {
  findDeviceByNames,
  requireDeviceNamed,
  requireReadableDevice,
  requireReportingDevice,
} from './find-by-name.ts';
export { devicesWithLengths, noteLengths } from './length-queries.ts';
export { storeMeasuredPosition, storePositionOfFile } from './position/queries.ts';
export { deviceState, nameDevices, selectDeviceNames } from './page/queries.ts';
export { deviceContact, isDeviceOnline } from './presence-queries.ts';
export { findDeviceOwner } from './queries.ts';
export type { DeviceRemoval } from './removal.ts';
export { addDeviceNamedFreely, eraseDeviceWithin, readDevice } from './rules.ts';
