import { PointerSensor, useSensor, useSensors, type DragStartEvent } from '@dnd-kit/core';
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { depthOf, type OptionDraft } from '../drafts';
import { findNode, placeInSlot, removeNode, visibleNodes, type Place } from './operations';
import { INDENT } from './parts';
import { rowOf } from './rows';

/** A smaller movement is a click, not a drag. */
const DRAG_PX = 6;

export interface Drop {
  place: Place;
  level: number;
  /** The position of the drop line, in px from the top of the tree. */
  top: number;
}

interface DragInput {
  treeRef: RefObject<HTMLDivElement | null>;
  value: readonly OptionDraft[];
  open: ReadonlySet<string>;
  onDrop: (key: string, place: Place) => void;
}

/** Drags rows by their handles: vertically for the position, horizontally for the level. */
export function useDrag({ treeRef, value, open, onDrop }: DragInput) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: DRAG_PX } }),
  );
  const [dragged, setDragged] = useState<string | null>(null);
  const [drop, setDrop] = useState<Drop | null>(null);
  const pointer = useRef({ x: 0, y: 0, startX: 0 });

  const follow = useEffectEvent(() => {
    const tree = treeRef.current;
    const found = dragged === null ? undefined : findNode(value, dragged);
    if (!tree || !found) return;
    const others = visibleNodes(removeNode(value, found.node.key), (key) => open.has(key));
    const rects = others.map(({ node }) =>
      rowOf(tree, node.key)?.querySelector(':scope > [data-line]')?.getBoundingClientRect(),
    );
    const { x, y, startX } = pointer.current;
    const slot = rects.filter((rect) => rect && rect.top + rect.height / 2 < y).length;
    const wanted = found.level + Math.round((x - startX) / INDENT);
    const place = placeInSlot(others, slot, wanted, depthOf([found.node]));
    const edge = rects[slot]?.top ?? rects[slot - 1]?.bottom;
    if (!place || edge === undefined) {
      setDrop(null);
      return;
    }
    const { level, ...rest } = place;
    setDrop({ place: rest, level, top: edge - tree.getBoundingClientRect().top });
  });

  useEffect(() => {
    if (dragged === null) return;
    const hear = ({ clientX, clientY }: PointerEvent) => {
      pointer.current = { ...pointer.current, x: clientX, y: clientY };
      follow();
    };
    const scrolled = () => follow();
    window.addEventListener('pointermove', hear);
    window.addEventListener('scroll', scrolled, { capture: true, passive: true });
    return () => {
      window.removeEventListener('pointermove', hear);
      window.removeEventListener('scroll', scrolled, { capture: true });
    };
  }, [dragged]);

  const end = () => {
    setDragged(null);
    setDrop(null);
  };
  return {
    sensors,
    dragged,
    drop,
    onDragStart: ({ active, activatorEvent }: DragStartEvent) => {
      const { clientX, clientY } = activatorEvent as PointerEvent;
      pointer.current = { x: clientX, y: clientY, startX: clientX };
      setDragged(String(active.id));
    },
    onDragEnd: () => {
      if (dragged !== null && drop) onDrop(dragged, drop.place);
      end();
    },
    onDragCancel: end,
  };
}
