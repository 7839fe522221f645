import { testSmallSizes } from './small-size.ts';

testSmallSizes('long');
