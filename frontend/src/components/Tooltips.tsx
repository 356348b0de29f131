import { Tooltip as Chakra } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { Portal } from './Portal';

const OPEN_MS = 400;

const triggerOf = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('[data-tooltip]') : null;

/**
 * Tells which element's tooltip is to be seen: of the one on which a mouse rests, or to which the
 * keyboard led. It goes with the next press or key, or when the focus goes elsewhere, as it does
 * into a dialog that opens; where something was pressed it comes back after the pointer has left.
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
    // From one to the next beside it there is nothing to wait for.
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
    // What takes the focus by itself is still pointed at.
    if (isLed || trigger !== under) set(isLed ? trigger : null);
  };
  const blur = ({ target }: FocusEvent) => {
    if (shown && triggerOf(target) === shown) close();
  };
  const scroll = ({ target }: Event) => {
    if (target instanceof Node && target.contains(shown)) close();
  };
  const hearing = new AbortController();
  // Before others, who may keep an event to themselves.
  const options = { capture: true, passive: true, signal: hearing.signal };
  document.addEventListener('pointerover', point, options);
  // A button that could not be pressed yet has not heard the pointer come.
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
 * The page's one tooltip, for whatever bears `data-tooltip`, its words, and perhaps
 * `data-tooltip-side` ('bottom' when left out). It repeats what the element is called for screen
 * readers, or tells them otherwise.
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
