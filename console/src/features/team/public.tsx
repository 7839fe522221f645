export { TeamsSection } from './section.tsx';
