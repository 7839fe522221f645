export { allCollections } from './data.ts';
