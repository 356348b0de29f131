import { useRef, useState, type MouseEvent, type PointerEvent } from 'react';
import { settled, WHOLE, zoomedAt, type View } from './zoom';

const STEP = 1.5;
const DOUBLE = 2.5;
const ARROW_PX = 80;
/** A horizontal swipe of this length shows the next picture. */
const SWIPE_PX = 60;

interface Point {
  x: number;
  y: number;
}

const PANS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: ARROW_PX, y: 0 },
  ArrowRight: { x: -ARROW_PX, y: 0 },
  ArrowUp: { x: 0, y: ARROW_PX },
  ArrowDown: { x: 0, y: -ARROW_PX },
};

/**
 * Zoom and pan of one picture, by wheel, pinch, double click and keys; swipes while it is not
 * zoomed.
 */
export function useZoom(onSwipe: (direction: -1 | 1) => void) {
  const [view, setView] = useState<View>(WHOLE);
  const [dragging, setDragging] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const pointers = useRef(new Map<number, Point>());
  const start = useRef<Point | null>(null);

  const sizeOf = () => {
    const { clientWidth = 0, clientHeight = 0 } = frame.current ?? {};
    return { width: clientWidth, height: clientHeight };
  };
  const fromMiddle = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = frame.current?.getBoundingClientRect();
    if (!box) return { x: 0, y: 0 };
    return { x: clientX - box.x - box.width / 2, y: clientY - box.y - box.height / 2 };
  };
  const zoom = (factor: number, at: Point = { x: 0, y: 0 }) =>
    setView((before) => zoomedAt(before, factor, at, sizeOf()));
  const pan = (by: Point) =>
    setView((before) => settled({ ...before, x: before.x + by.x, y: before.y + by.y }, sizeOf()));

  const handlers = {
    onWheel: (event: React.WheelEvent) => zoom(Math.exp(-event.deltaY / 400), fromMiddle(event)),
    onDoubleClick: (event: MouseEvent) =>
      view.scale > 1 ? setView(WHOLE) : zoom(DOUBLE, fromMiddle(event)),
    onPointerDown: (event: PointerEvent) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      pointers.current.set(event.pointerId, fromMiddle(event));
      start.current = pointers.current.size === 1 ? fromMiddle(event) : null;
      setDragging(true);
    },
    onPointerMove: (event: PointerEvent) => {
      const before = pointers.current.get(event.pointerId);
      if (!before) return;
      const now = fromMiddle(event);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, now);
      if (other) {
        const spread = Math.hypot(before.x - other.x, before.y - other.y) || 1;
        const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
        zoom(Math.hypot(now.x - other.x, now.y - other.y) / spread, middle);
      } else pan({ x: now.x - before.x, y: now.y - before.y });
    },
    onPointerUp: (event: PointerEvent) => {
      const from = start.current;
      const by = from ? fromMiddle(event).x - from.x : 0;
      pointers.current.delete(event.pointerId);
      setDragging(pointers.current.size > 0);
      if (view.scale === 1 && event.pointerType === 'touch' && Math.abs(by) > SWIPE_PX)
        onSwipe(by > 0 ? -1 : 1);
    },
    onPointerCancel: (event: PointerEvent) => {
      pointers.current.delete(event.pointerId);
      setDragging(false);
    },
  };

  /** Returns whether it handled the key. */
  const onKey = (key: string): boolean => {
    const by = PANS[key];
    if (key === '+' || key === '=') zoom(STEP);
    else if (key === '-') zoom(1 / STEP);
    else if (key === '0') setView(WHOLE);
    else if (by && view.scale > 1) pan(by);
    else return false;
    return true;
  };

  return {
    frame,
    handlers,
    onKey,
    scale: view.scale,
    zoomIn: () => zoom(STEP),
    zoomOut: () => zoom(1 / STEP),
    style: {
      transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
      transition: dragging ? 'none' : 'transform 120ms ease-out',
      cursor: view.scale > 1 ? (dragging ? 'grabbing' : 'grab') : 'zoom-in',
      touchAction: 'none',
    } as const,
  };
}
