export { isLocalAddress } from './local-address.ts';
export { GuideText, RecorderSettings } from './recorder-settings.tsx';
