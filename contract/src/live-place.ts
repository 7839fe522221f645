/*
 * The position of a live stream when there is no change to send. It is sent in two forms: an `id` line, which browsers
 * read (HTML standard, 9.2.6), and a comment, because many parsers of server-sent events report an `id` only with data.
 */

/** Of a position. */
export const placePattern = String.raw`^\d{1,15}-\d{1,15}$`;
const isPlace = new RegExp(placePattern);

/** All changes up to this position have been sent or are not visible to this client. */
export const writePlace = (place: string): string => `: at ${place}\nid: ${place}\n\n`;

/** The position in a comment, if there is one. */
export const readPlace = (text: string): string | undefined => {
  const place = text.startsWith('at ') ? text.slice(3) : '';
  return isPlace.test(place) ? place : undefined;
};
