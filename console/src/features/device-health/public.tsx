export { DeviceHealthSections } from './sections.tsx';
export { SetAsideNotice, WarningNotices } from './set-aside.tsx';
