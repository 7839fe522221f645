export { DeviceReadySection } from './section.tsx';
