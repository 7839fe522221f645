export { openAlertCount } from './open-count.ts';
