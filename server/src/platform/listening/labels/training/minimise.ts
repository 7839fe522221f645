/** Returns the cost at a position and writes its gradient. */
export type Cost = (at: Float64Array, slope: Float64Array) => number;

const memory = 10;
const halvings = 20;
const leastGain = 1e-4;

/** The minimum of a smooth convex function, by L-BFGS from the origin. */
export function minimise(cost: Cost, size: number, steps: number): Float64Array {
  let place = new Float64Array(size);
  let slope = new Float64Array(size);
  let value = cost(place, slope);
  const past: { readonly moved: Float64Array; readonly turned: Float64Array; readonly scale: number }[] = [];
  for (let step = 0; step < steps; step++) {
    const direction = descend(slope, past);
    const steepness = dot(direction, slope);
    let length = step === 0 ? 1 / Math.sqrt(dot(slope, slope)) : 1;
    let next = place;
    const nextSlope = new Float64Array(size);
    let nextValue = Infinity;
    for (let halving = 0; halving < halvings; halving++, length /= 2) {
      const stride = length;
      next = place.map((coordinate, index) => coordinate + stride * direction[index]!);
      nextValue = cost(next, nextSlope);
      if (nextValue <= value + leastGain * stride * steepness) break;
    }
    if (!(nextValue < value)) break;
    const moved = next.map((coordinate, index) => coordinate - place[index]!);
    const turned = nextSlope.map((coordinate, index) => coordinate - slope[index]!);
    const curvature = dot(moved, turned);
    if (curvature > 1e-12) past.push({ moved, turned, scale: 1 / curvature });
    if (past.length > memory) past.shift();
    [place, slope, value] = [next, nextSlope, nextValue];
  }
  return place;
}

/** The descent direction, with the curvature estimated from the last steps. */
function descend(
  slope: Float64Array,
  past: readonly { readonly moved: Float64Array; readonly turned: Float64Array; readonly scale: number }[],
): Float64Array {
  const direction = slope.map((value) => -value);
  const shares: number[] = [];
  for (const [index, { moved, turned, scale }] of [...past.entries()].toReversed()) {
    shares[index] = scale * dot(moved, direction);
    addTo(direction, turned, -shares[index]);
  }
  const last = past.at(-1);
  if (last) {
    const size = 1 / (last.scale * dot(last.turned, last.turned));
    for (let index = 0; index < direction.length; index++) direction[index]! *= size;
  }
  for (const [index, { moved, turned, scale }] of past.entries()) {
    addTo(direction, moved, shares[index]! - scale * dot(turned, direction));
  }
  return direction;
}

function dot(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let index = 0; index < one.length; index++) sum += one[index]! * other[index]!;
  return sum;
}

function addTo(target: Float64Array, other: Float64Array, factor: number): void {
  for (let index = 0; index < target.length; index++) target[index]! += factor * other[index]!;
}
