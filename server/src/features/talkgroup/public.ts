export { noteTalkgroup } from './rules.ts';
