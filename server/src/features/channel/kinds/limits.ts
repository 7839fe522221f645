/** Of an answer, no more is read. */
export const mostAnswerBytes = 16_384;
