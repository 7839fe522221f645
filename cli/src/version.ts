import manifest from '../package.json' with { type: 'json' };

export const cliVersion: string = manifest.version;
