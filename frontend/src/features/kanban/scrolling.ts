import { glide } from '@/lib/motion';

/** Brings a lane into view. */
export function showLane(scroller: HTMLElement | null, laneId: number) {
  scroller?.querySelector(`[data-lane="${laneId}"]`)?.scrollIntoView({
    inline: window.matchMedia('(max-width: 600px)').matches ? 'center' : 'nearest',
    block: 'nearest',
    behavior: glide(),
  });
}

/** Moves the focus to the card above or below, or in the lane beside; whether the key was meant. */
export function stepFocus(card: HTMLElement, key: string): boolean {
  const lane = card.closest('[data-lane]');
  const cardsOf = (element: Element | null) => [
    ...(element?.querySelectorAll<HTMLElement>('[data-card]') ?? []),
  ];
  if (key === 'ArrowUp' || key === 'ArrowDown') {
    const cards = cardsOf(lane);
    cards[cards.indexOf(card) + (key === 'ArrowDown' ? 1 : -1)]?.focus();
    return true;
  }
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return false;
  const { top } = card.getBoundingClientRect();
  let next = lane;
  do {
    next =
      key === 'ArrowRight'
        ? (next?.nextElementSibling ?? null)
        : (next?.previousElementSibling ?? null);
    const nearest = cardsOf(next).sort(
      (left, right) =>
        Math.abs(left.getBoundingClientRect().top - top) -
        Math.abs(right.getBoundingClientRect().top - top),
    )[0];
    if (nearest) {
      nearest.focus();
      return true;
    }
  } while (next);
  return true;
}
