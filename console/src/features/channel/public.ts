export { allChannels, channelText } from './data.ts';
