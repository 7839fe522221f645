/** The examples are divided into this many parts; each is classified by weights that were trained on the others. */
export const foldCount = 5;
