export { signOutHere } from './sign-out.ts';
