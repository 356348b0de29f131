import { Tooltip as Chakra } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { Portal } from './Portal';

const OPEN_MS = 400;

const triggerOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;

/**
 * Reports the element whose tooltip is to be shown: the one under a resting mouse, or the one
 * focused with the keyboard. The next press or key hides it, and so does a move of the focus, e.g.
 * into a dialog. After a press it returns only after the pointer has left the element.
 */
function watchTooltips(show: (trigger: HTMLElement | null) => void): () => void {
  let under: HTMLElement | null = null;
  let shown: HTMLElement | null = null;
  let isLed = false;
  let timer = 0;
  const set = (trigger: HTMLElement | null) => {
    clearTimeout(timer);
    if (trigger === shown || trigger?.isConnected === false) return;
    shown = trigger;
    show(trigger);
  };
  const close = () => set(null);
  const point = ({ target, pointerType }: PointerEvent) => {
    const trigger = pointerType === 'touch' ? null : triggerOf(target);
    if (trigger === under) return;
    under = trigger;
    // There is no delay when the pointer moves on from another element with a tooltip.
    const wait = shown ? 0 : OPEN_MS;
    close();
    if (trigger) timer = window.setTimeout(() => set(trigger), wait);
  };
  const leave = () => {
    under = null;
    close();
  };
  const press = () => {
    isLed = false;
    close();
  };
  const type = ({ key }: KeyboardEvent) => {
    isLed = key === 'Tab' || key.startsWith('Arrow');
    close();
  };
  const focus = ({ target }: FocusEvent) => {
    const trigger = triggerOf(target);
    if (isLed) set(trigger);
    // An element that gets the focus by script is still the one under the pointer. One that the
    // pointer has just entered gets its tooltip all the same.
    else if (shown && trigger !== under) close();
  };
  const blur = ({ target }: FocusEvent) => {
    if (shown && triggerOf(target) === shown) close();
  };
  const scroll = ({ target }: Event) => {
    if (target instanceof Node && target.contains(shown)) close();
  };
  const hearing = new AbortController();
  // In the capture phase, because other handlers may stop the event.
  const options = { capture: true, passive: true, signal: hearing.signal };
  document.addEventListener('pointerover', point, options);
  // A button that was disabled when the pointer entered has fired no event.
  document.addEventListener('pointermove', point, options);
  document.documentElement.addEventListener('pointerleave', leave, { signal: hearing.signal });
  document.addEventListener('pointerdown', press, options);
  document.addEventListener('click', close, options);
  document.addEventListener('keydown', type, options);
  document.addEventListener('focusin', focus, options);
  document.addEventListener('focusout', blur, options);
  document.addEventListener('scroll', scroll, options);
  return () => {
    hearing.abort();
    clearTimeout(timer);
  };
}

/**
 * The only tooltip of the page, for elements with `data-tooltip` (its text) and optionally
 * `data-tooltip-side` (by default 'bottom'). Its text must also be in the element's accessible name
 * or description.
 */
export function Tooltips() {
  const [trigger, setTrigger] = useState<HTMLElement | null>(null);
  useEffect(() => watchTooltips(setTrigger), []);
  if (!trigger) return null;
  const { tooltip, tooltipSide = 'bottom' } = trigger.dataset;
  return (
    <Chakra.Root
      key={tooltip}
      open
      closeOnEscape={false}
      positioning={{
        placement: tooltipSide as 'bottom' | 'left' | 'right',
        getAnchorRect: () => trigger.getBoundingClientRect(),
      }}
    >
      <Portal>
        <Chakra.Positioner>
          <Chakra.Content>{tooltip}</Chakra.Content>
        </Chakra.Positioner>
      </Portal>
    </Chakra.Root>
  );
}
