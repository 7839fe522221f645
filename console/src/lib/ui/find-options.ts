export interface PickOption {
  readonly value: string;
  readonly label: string;
}

/** The options that contain the text, those that start with it first. */
export function findOptions(options: readonly PickOption[], text: string): readonly PickOption[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return options;
  const found = options.filter(({ label }) => label.toLowerCase().includes(wanted));
  const rank = ({ label }: PickOption) => (label.toLowerCase().startsWith(wanted) ? 0 : 1);
  return found.toSorted((a, b) => rank(a) - rank(b));
}
