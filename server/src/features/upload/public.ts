export { examineSound } from './sound/examine.ts';
