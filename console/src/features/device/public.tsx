export { ConnectDevice } from './connect-device.tsx';
export { DeviceState, LastHeard } from './device-state.tsx';
