export { DeviceLog } from './device-log.tsx';
