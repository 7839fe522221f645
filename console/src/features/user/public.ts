export { allUsers, userName } from './data.ts';
