export { waitingUploads } from './waiting.ts';
