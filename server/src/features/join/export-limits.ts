/** What one person may have at once in exports of other people's devices. */
export interface ExportLimits {
  readonly most: number;
  readonly mostBytes: number;
}

export interface ExportUse {
  readonly count: number;
  /** Of results that are kept or being written. */
  readonly bytes: number;
}

const gigabyte = 1e9;

const sizeText = (bytes: number): string =>
  bytes < gigabyte ? `${Math.ceil(bytes / 1e6)} MB` : `${Math.round((10 * bytes) / gigabyte) / 10} GB`;

/** A sentence if the person can start no further export; undefined if there is room. */
export function explainNoRoom({ most, mostBytes }: ExportLimits, { count, bytes }: ExportUse): string | undefined {
  const advice = 'Delete one that you no longer need, or wait until the oldest is removed, a week after it was made.';
  if (count >= most) return `You have ${count} exports of other people’s devices, and ${most} is the limit. ${advice}`;
  if (bytes >= mostBytes)
    return `Your exports of other people’s devices have ${sizeText(bytes)}, and ${sizeText(mostBytes)} is the limit. ${advice}`;
  return undefined;
}

/** The same for a result that is about to be stored. */
export function explainTooLarge({ mostBytes }: ExportLimits, { bytes }: ExportUse, size: number): string | undefined {
  if (bytes + size <= mostBytes) return undefined;
  return (
    `The result has ${sizeText(size)}. With the other exports of this person it exceeds the limit of ${sizeText(mostBytes)}: ` +
    'delete some of them, export a shorter range, or choose a smaller format.'
  );
}
