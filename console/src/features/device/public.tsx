export { AddDeviceDialog } from './add-dialog.tsx';
export { deviceColumns, DeviceLines } from './columns.tsx';
export { ConnectDevice } from './connect-device.tsx';
export { DeviceStatus } from './device-state.tsx';
export { StateBadge, stateNames } from './state-badge.tsx';
