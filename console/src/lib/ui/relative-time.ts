const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

const dayText = (date: Date, at: number): string =>
  date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(new Date(at).getFullYear() === date.getFullYear() ? {} : { year: 'numeric' }),
  });

export function relativeTime(date: Date, at: number): string {
  const ago = at - date.getTime();
  const size = Math.abs(ago);
  const words = (text: string) => (ago < 0 ? `in ${text}` : `${text} ago`);
  if (size < minute) return ago < -5_000 ? 'in less than a minute' : 'just now';
  if (size < hour) return words(`${Math.floor(size / minute)} min`);
  if (size < day) return words(`${Math.floor(size / hour)} h`);
  if (size < 7 * day) return words(size < 2 * day ? '1 day' : `${Math.floor(size / day)} days`);
  return dayText(date, at);
}
