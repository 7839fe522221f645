export { mayChangeCollection, mayOwn, mayOwnCollection, mayWrite } from './rights.ts';
