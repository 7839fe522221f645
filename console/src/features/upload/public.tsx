export { DropAnywhere } from './drop-anywhere.tsx';
export { FilePicker } from './file-picker.tsx';
export { UploadStatus } from './upload-status.tsx';
