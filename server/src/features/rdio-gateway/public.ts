export { importCall, refuseAsRdio } from './import-call.ts';
