export { BellButton, BellPlace } from './bell.tsx';
