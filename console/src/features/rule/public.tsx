export { ClipRules } from './clip-rules.tsx';
export { WatchSearchButton } from './watch-button.tsx';
