export { attachSound } from './attach.ts';
export { examineSound, soundHeadBytes, soundOnly } from './examine.ts';
