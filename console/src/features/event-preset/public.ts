export { allPresets, presetsOf } from './data.ts';
