export { enqueuePreset, requirePresetForDevice } from './for-device.ts';
export { enqueueHeldPreset, holdPresetToRun } from './for-owner.ts';
export { findReadablePreset, presetRight, presetsWithHolders } from './queries.ts';
export { requireTargets } from './targets.ts';
