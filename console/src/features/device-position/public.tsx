export { DevicePositionSection } from './section.tsx';
