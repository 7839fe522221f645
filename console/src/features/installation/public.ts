export { installationState } from './data.ts';
