export { enqueuePreset, requirePresetForDevice } from './for-device.ts';
export { findReadablePreset } from './queries.ts';
export { requireTargets } from './targets.ts';
