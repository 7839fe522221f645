export { canRequestUpload, clipStateOf, isAvailable } from './clip-state.ts';
export { endOf, lengthMsOf, startOf } from './clip-times.ts';
export { allTags, newestClips } from './data.ts';
export { requestUploads } from './request-uploads.ts';
