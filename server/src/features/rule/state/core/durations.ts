export const msPerMinute = 60_000;
export const msPerHour = 60 * msPerMinute;
