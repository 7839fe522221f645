export { CallSummary, EmergencyMark } from './call-summary.tsx';
export { someTalkgroups } from './data.ts';
export { TalkgroupsOfDevice } from './section.tsx';
export { TalkgroupInput } from './talkgroup-input.tsx';
