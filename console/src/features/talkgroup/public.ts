export { talkgroupIn, talkgroupText, unitText } from './names.ts';
