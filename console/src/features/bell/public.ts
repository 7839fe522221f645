export { chooseBellSound, hasBellSound, playBellSound } from './bell-sound.ts';
