import { writeCursor } from '@earshot/server/platform/page-cursor';
import * as fc from 'fast-check';
import type { Hints } from './values.ts';

/** Random times rarely agree, and random files rarely exist. */
export function clipHints(deviceSerial: string, deviceKey: number, clipID: number): Readonly<Record<string, Hints>> {
  const nothing = fc.constant(null);
  const clip = {
    endTime: nothing,
    endTimeMs: nothing,
    fileID: fc.constantFrom(null, 0),
    audioClipStatus: fc.constantFrom(0, 1, 2, 4, null),
    startTime: fc.constantFrom(1000, 1001, 1_700_000_000, 253_402_300_799),
  };
  const deviceID = fc.constant(deviceKey);
  const serial = { deviceSerial: fc.constant(deviceSerial) };
  const range = { startEpoch: fc.constantFrom(0, 1000, 1005), endEpoch: fc.constantFrom(1005, 1010, 9999) };
  const devices = { deviceIDList: fc.constantFrom([], [deviceKey], [0]) };
  const places = [false, true].map((isBack) => writeCursor({ isBack, time: 1_000_000, key: 5 }));
  const cursor = fc.constantFrom(null, null, ...places, 'next');
  const field = fc.constantFrom('bitrate', 'localFilePath', 'audioClipStatus', 'fileSize', 'TagListID', 'startTime');
  const pointer = field.map((name) => `/${name}`);
  const target = fc.constantFrom('', '', '', 'https://example.org/', 'no');
  const join = {
    startEpoch: fc.constantFrom(0, 1000),
    endEpoch: fc.constantFrom(1005, 9999),
    deviceID,
    deviceName: fc.constant(deviceSerial),
    deviceSerial: fc.constant(deviceSerial),
    audioClips: fc.constantFrom([], [], [{ key: clipID }], [{}]),
    timeout: fc.constantFrom('90', 90, 'PT5M', '00:01:00', 'soon'),
    uploadURL: target,
    postbackURL: target,
  };
  const newTerms = { terms: fc.constantFrom([{ term: 'Quayside' }], [{ term: 'Box 7', spokenAs: ['box seven'] }]) };
  return {
    concatenateAudioClips: join,
    exportAudioClips: join,
    createAudioClip: { ...clip, deviceID },
    announceAudioClip: clip,
    announceAudioClips: clip,
    updateAudioClip: clip,
    patchAudioClip: {
      op: fc.constantFrom('add', 'remove', 'replace'),
      path: pointer,
      fieldName: field,
      value: fc.nat(),
    },
    captionAudio: {
      ...range,
      audioClips: fc.constantFrom([], [clipID], [clipID, 0]),
      engine: fc.constantFrom(undefined, 'whisper'),
    },
    correctCaption: {
      words: fc.constantFrom(undefined, [{ text: 'owl', startMs: 0, endMs: 9 }]),
      version: fc.constantFrom(undefined, 1),
    },
    restoreCaption: { version: fc.constantFrom(1, 1, 2) },
    addVocabulary: newTerms,
    addGroupVocabulary: newTerms,
    requestUpload: { deviceID, audioClips: fc.constantFrom([clipID], [clipID, clipID]) },
    listAudioClips: { ...range, deviceID: fc.constantFrom(0, deviceKey) },
    listAudioClipsOfDevices: { ...range, ...devices },
    listAudioClipPage: { ...range, ...devices, cursor },
    countAudioClips: { ...range, ...devices },
    listEventPage: { deviceID: fc.constantFrom(0, deviceKey), cursor },
    extractAudioClips: { ...range, ...serial },
    listAudioClipsWithTags: { ...range, ...devices },
    searchCaptions: { ...range, ...devices },
    searchCaptionFacets: { ...range, ...devices },
    createSavedSearch: range,
    updateSavedSearch: range,
    getCoverage: { ...range, deviceID },
    createAudioClipTag: {
      tagID: fc.constant(0),
      timestamp: fc.constantFrom(1_700_000_000, 1_700_000_001),
      timestampMs: fc.constant(0),
    },
  };
}
