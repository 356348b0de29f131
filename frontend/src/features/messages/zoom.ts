/** The position of a picture in its frame: `x` and `y` are px from the centre. */
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

/** Limits the zoom, and the offset so that the picture does not leave the frame. */
export function settled(view: View, frame: Size): View {
  const scale = Math.min(MAX_SCALE, Math.max(1, view.scale));
  return {
    scale,
    x: between(view.x, (frame.width * (scale - 1)) / 2),
    y: between(view.y, (frame.height * (scale - 1)) / 2),
  };
}

/** Zooms by a factor; the point under the pointer (px from the centre) stays in place. */
export function zoomedAt(view: View, factor: number, at: { x: number; y: number }, frame: Size) {
  const scale = Math.min(MAX_SCALE, Math.max(1, view.scale * factor));
  const share = scale / view.scale;
  return settled(
    { scale, x: at.x - (at.x - view.x) * share, y: at.y - (at.y - view.y) * share },
    frame,
  );
}
