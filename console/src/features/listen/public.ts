export { captionProgress } from './caption-progress.ts';
