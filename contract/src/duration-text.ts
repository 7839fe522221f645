/** A duration as text: `11 s`, `1 min 30 s`, `2 h 5 min`, `3 d 4 h`. */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  if (seconds < 60) return `${seconds} s`;
  if (minutes < 60) return joinUnits(`${minutes} min`, seconds % 60, 's');
  if (hours < 48) return joinUnits(`${hours} h`, minutes % 60, 'min');
  return joinUnits(`${Math.floor(hours / 24)} d`, hours % 24, 'h');
}

const joinUnits = (text: string, rest: number, unit: string): string => (rest === 0 ? text : `${text} ${rest} ${unit}`);
