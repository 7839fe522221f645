export { enqueuePreset, requirePresetForDevice } from './for-device.ts';
export { requireTargets } from './targets.ts';
