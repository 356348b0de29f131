import { MouseSensor, TouchSensor, useSensor, useSensors } from '@dnd-kit/core';

/** A pixel or two is a click, not a drag. */
const MOUSE_PX = 6;
/** A finger that stays this long lifts; one that moves before scrolls. */
const TOUCH_MS = 220;
const TOUCH_PX = 8;

export function usePointerSensors() {
  return useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: MOUSE_PX } }),
    useSensor(TouchSensor, { activationConstraint: { delay: TOUCH_MS, tolerance: TOUCH_PX } }),
  );
}
