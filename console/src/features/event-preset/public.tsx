export { PresetsOfDevice } from './presets-of-device.tsx';
