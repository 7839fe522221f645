export { SettingsOnDevice } from './section.tsx';
