export { CallSummary, EmergencyMark } from './call-summary.tsx';
export { TalkgroupsOfDevice } from './section.tsx';
export { TalkgroupInput } from './talkgroup-input.tsx';
