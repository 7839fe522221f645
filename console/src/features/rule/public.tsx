export { Acts } from './acts.tsx';
export { ClipRules } from './clip-rules.tsx';
export { MatchRow } from './match-row.tsx';
export { SeverityBadge } from './rule-state.tsx';
export { ActiveTime, TimeList } from './times-part.tsx';
export { WatchingRules } from './watching-rules.tsx';
export { WatchSearchButton } from './watch-button.tsx';
