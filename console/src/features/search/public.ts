export { listenAddress } from './listen-address.ts';
