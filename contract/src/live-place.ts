/*
 * Where a live stream is, when no change says so. Two forms are sent together: an `id` line, which browsers read
 * (HTML standard, 9.2.6), and a comment, because many parsers of server-sent events report an `id` only with data.
 */

const comment = /^at (\d{1,15}-\d{1,15})$/;

/** Everything up to this place has been sent, or is not for this reader. */
export const writePlace = (place: string): string => `: at ${place}\nid: ${place}\n\n`;

/** The place that a comment says, if it says one. */
export const readPlace = (text: string): string | undefined => comment.exec(text)?.[1];
