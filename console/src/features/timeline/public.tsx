export { DeviceTimeline } from './device-timeline.tsx';
