export { issueKey } from './issue-key.ts';
export { removeKeysOfDevice } from './queries.ts';
