/** Line breaks, other control characters and marks that change the direction of text, which could forge what follows. */
const breaking = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

/** A text of a person as one line. */
export const oneLine = (text: string): string => text.replaceAll(breaking, ' ').trim();
