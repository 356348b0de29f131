/** How a picture lies in its frame: `x` and `y` are px from the middle. */
export interface View {
  scale: number;
  x: number;
  y: number;
}

interface Size {
  width: number;
  height: number;
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 };
const MAX_SCALE = 8;

const between = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value));

/** Inside its limits, and never so far aside that it leaves the frame. */
export function settled(view: View, frame: Size): View {
  const scale = Math.min(MAX_SCALE, Math.max(1, view.scale));
  return {
    scale,
    x: between(view.x, (frame.width * (scale - 1)) / 2),
    y: between(view.y, (frame.height * (scale - 1)) / 2),
  };
}

/** Larger or smaller by a factor, the point under the pointer (px from the middle) staying. */
export function zoomedAt(view: View, factor: number, at: { x: number; y: number }, frame: Size) {
  const scale = Math.min(MAX_SCALE, Math.max(1, view.scale * factor));
  const share = scale / view.scale;
  return settled(
    { scale, x: at.x - (at.x - view.x) * share, y: at.y - (at.y - view.y) * share },
    frame,
  );
}
