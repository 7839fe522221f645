export { allDevices, nameOf, oneDevice } from './data.ts';
