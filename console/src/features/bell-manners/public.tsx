export { BellMannersSection } from './section.tsx';
