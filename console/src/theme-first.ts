import { applyTheme, chosenTheme } from './lib/theme.ts';

// Runs before the first paint, so that the page does not flash in the wrong theme.
applyTheme(chosenTheme());
