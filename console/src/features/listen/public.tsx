export { PlayerPlace } from './player-place.tsx';
