/** The extensions of sound files, as alternatives of a pattern. */
export const soundExtensions = 'wav|wave|bwf|mp3|m4a|m4b|mp4|aac|flac|ogg|oga|opus|webm|weba|amr|3gp|caf|aiff?|wma';
const soundNames = new RegExp(`\\.(${soundExtensions})$`, 'i');

/** Folders of recorders also contain settings, pictures and reports. */
export const isSoundFileName = (name: string): boolean => soundNames.test(name);
