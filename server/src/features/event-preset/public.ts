export { enqueuePreset, requirePresetForDevice } from './for-device.ts';
export { enqueuePresetOfRule, holdPresetOfRule } from './for-rule.ts';
export { findReadablePreset } from './queries.ts';
export { requireTargets } from './targets.ts';
