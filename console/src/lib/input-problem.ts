/** Something is wrong with what a person entered in a form. The message says what, and what to do. */
export class InputProblem extends Error {}
