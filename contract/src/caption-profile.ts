/** The engines that run on the server itself, by the names that people choose. */
export const captionProfiles = ['fast', 'accurate'] as const;
export type CaptionProfile = (typeof captionProfiles)[number];
