export { storeMeasuredPosition, storePositionOfFile } from './queries.ts';
