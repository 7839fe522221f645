/** The state of a clip's sound. Only the platform sets `available`, `uploadFailed` and `expired`. */
export const audioClipStatus = {
  onDevice: 0,
  uploadRequested: 1,
  uploading: 2,
  available: 3,
  uploadFailed: 4,
  expired: 5,
} as const;

/** By key. */
export const audioClipStatuses = [
  { key: audioClipStatus.onDevice, name: 'on the device' },
  { key: audioClipStatus.uploadRequested, name: 'upload requested' },
  { key: audioClipStatus.uploading, name: 'uploading' },
  { key: audioClipStatus.available, name: 'available' },
  { key: audioClipStatus.uploadFailed, name: 'upload failed' },
  { key: audioClipStatus.expired, name: 'file expired' },
] as const;
