export { FirstSteps } from './first-steps.tsx';
export { SampleNotice } from './sample-notice.tsx';
