export { talkgroupIn, talkgroupText, unitText } from './names.ts';
export { someTalkgroups } from './data.ts';
