/** When something is said. Busy hours have more, the night has little. */

const hourMs = 3_600_000;
const busyPerHour = 4;
const leastApartMs = 45_000;

/** The share of the busiest hour that an hour of the day has. */
function busyness(hour: number): number {
  if (hour < 5) return 0.08;
  if (hour < 7) return 0.4;
  if (hour < 10) return 1;
  if (hour < 12) return 0.75;
  if (hour < 14) return 0.6;
  if (hour < 18) return 0.85;
  return hour < 22 ? 0.4 : 0.15;
}

/** The starts of the recordings of one device between two moments, oldest first. */
export function planStarts(fromMs: number, untilMs: number, random: () => number): number[] {
  const starts: number[] = [];
  for (let atMs = fromMs; ;) {
    const perHour = busyPerHour * busyness(new Date(atMs).getHours());
    // Exponential distances, as of events that are independent of each other; in the night at most to the next hour.
    const waitMs = leastApartMs - (Math.log(1 - random()) * hourMs) / perHour;
    if (waitMs > hourMs) {
      atMs += hourMs;
      if (atMs >= untilMs) return starts;
      continue;
    }
    atMs = Math.round(atMs + waitMs);
    if (atMs >= untilMs) return starts;
    starts.push(atMs);
  }
}

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
