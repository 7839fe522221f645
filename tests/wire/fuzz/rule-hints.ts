import * as fc from 'fast-check';
import type { Hints } from './values.ts';

/** Random conditions are hardly ever valid. */
export function ruleHints(
  deviceID: number,
  collectionID: number,
  presetID: number,
  userID: number,
  teamID: number,
  clipID: number,
): Readonly<Record<string, Hints>> {
  const when = fc.constantFrom(
    { words: 'owl' },
    { words: '"' },
    { all: [{ words: 'owl' }, { none: [{ tagName: 'rain', minConfidence: 50 }] }] },
    { any: [] },
    { any: [{ any: [{ any: [{ any: [{ words: 'owl' }] }] }] }] },
    { anySound: true },
    { levelDb: { min: -30 } },
    { state: 'offline' },
    { state: 'lowBattery', belowPercent: 30 },
    { state: 'failedEvents', afterMinutes: 5 },
    { state: 'fullDisk', words: 'owl' },
    { words: 'owl', tagName: 'rain' },
  );
  const where = fc.constantFrom(
    null,
    {},
    { deviceIDs: [deviceID] },
    { deviceIDs: [0] },
    { collectionIDs: [collectionID] },
    { talkgroups: [{ deviceID, talkgroup: 4521 }], units: [1] },
    { isEmergency: true },
  );
  const actions = fc.constantFrom(
    [],
    [],
    [],
    [],
    [{ action: 'notify', to: [{ userID }] }],
    [{ action: 'notify', to: [{}] }],
    [{ action: 'notify', to: [{ teamID }] }],
    [{ action: 'runPreset', eventPresetID: presetID, on: 'named', deviceIDs: [deviceID] }],
    [{ action: 'runPreset' }],
    [{ action: 'requestUpload', beforeSeconds: 60, afterSeconds: 60, from: 'nearest', count: 2 }],
    // Not `lock`: a rule of an admin would lock clips of the other operations.
    [{ action: 'tag', tagName: 'owl' }],
    [
      { action: 'tag', tagName: 'owl' },
      { action: 'tag', tagName: 'bird' },
    ],
    [{ action: 'lock' }, { action: 'lock' }],
    [{ action: 'tag', tagName: 'owl' }, { action: 'notify' }],
  );
  const quietedBy = fc.constantFrom([], [], [], [0], [1]);
  // Only of rules about states.
  const seconds = fc.constantFrom(0, 0, 0, 0, 0, 0, 300);
  const parts = { when, where, actions, quietedBy, forSeconds: seconds, keepOpenSeconds: seconds };
  return {
    tryRule: parts,
    explainRule: {
      ...parts,
      ruleID: fc.constantFrom(0, null),
      audioClipID: fc.constantFrom(clipID, clipID, clipID, 0, null),
      // Instead of a clip, for rules about states.
      deviceID: fc.constantFrom(null, null, null, null, deviceID, 0),
      time: fc.constantFrom(null, null, null, null, 1_794_704_500),
    },
    createRule: parts,
    // What the rule of the world runs, as the example of the contract has it.
    allowRuleAction: {
      position: fc.constant(0),
      version: fc.constantFrom(1, 1, 1, 2),
      contentHash: fc.constant('072c430bf8c2df4dbcfea7c375e94588d54f3b38139db220eb9bb9fa6d8ec9cd'),
    },
    // As the device of the world has it.
    allowDeviceCommand: {
      contentHash: fc.constantFrom('6974866cd7ee529b5920c29814b1d72604c364ac2839828b515001d67082f1a8', '0'.repeat(64)),
    },
    updateRule: { ...parts, version: fc.constantFrom(1, 1, 1, 2) },
  };
}
