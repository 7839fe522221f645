const partsOf = (minutes: number): readonly [count: number, unit: string] =>
  minutes >= 120 ? [Math.floor(minutes / 60), 'hour'] : [Math.max(minutes, 1), 'minute'];

/** Why people are told of an alert later than others: `Nobody acknowledged it for 10 minutes.` */
export function waitedText(waitedSeconds: number): string {
  const [count, unit] = partsOf(Math.round(waitedSeconds / 60));
  return `Nobody acknowledged it for ${count} ${unit}${count === 1 ? '' : 's'}.`;
}
