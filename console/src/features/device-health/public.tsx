export { DeviceHealthSections } from './sections.tsx';
export { SetAsideNotice } from './set-aside.tsx';
