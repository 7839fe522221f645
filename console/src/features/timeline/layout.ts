/** In CSS pixels. */
export const axisHeight = 46;
const nameRow = 22;
const tagRow = 14;
const captionStrip = 4;
const between = 3;
const band = 44;
const lowStrip = 4;
const under = 14;

export interface LaneLayout {
  readonly top: number;
  readonly height: number;
  readonly tags: number;
  readonly captions: number;
  readonly band: number;
  readonly low: number;
}

export const sizes = { tagRow, captionStrip, band, lowStrip };

export function laneLayout(index: number, lanes: number): LaneLayout {
  const names = lanes > 1 ? nameRow : 6;
  const height = names + tagRow + captionStrip + between + band + between + lowStrip + under;
  const top = axisHeight + index * height;
  const captions = top + names + tagRow;
  const bandTop = captions + captionStrip + between;
  return { top, height, tags: top + names, captions, band: bandTop, low: bandTop + band + between };
}

export const heightOf = (lanes: number): number => axisHeight + lanes * laneLayout(0, lanes).height;

/** Index of the lane at a y position, or of the nearest lane. */
export const laneAt = (y: number, lanes: number): number =>
  Math.max(0, Math.min(lanes - 1, Math.floor((y - axisHeight) / laneLayout(0, lanes).height)));
