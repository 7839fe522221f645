import { applyTheme, chosenTheme } from './app/theme.ts';

// Before anything is painted, so that nothing flashes in the other colours.
applyTheme(chosenTheme());
