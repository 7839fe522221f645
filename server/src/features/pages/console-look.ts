/** The addresses of the files that give a page the look of the console. */
export interface ConsoleLook {
  readonly style: string;
  /** Applies the chosen theme before the first paint. */
  readonly themeScript: string;
}

/** Reads them from the page of the console, because their names change with their content. */
export function readLook(page: string): ConsoleLook {
  const style = /<link rel="stylesheet" href="([^"]+)"/.exec(page)?.[1];
  const themeScript = /<script src="([^"]+)"/.exec(page)?.[1];
  if (!style || !themeScript) throw new Error('The page of the console names no style or no theme script');
  return { style, themeScript };
}
