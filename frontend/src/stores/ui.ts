import { useEffect } from 'react';
import { create } from 'zustand';
import { currentColourMode, storeColourMode, type ColourMode } from '@/theme/colourMode';

const DRAWER_KEY = 'drawerOpen';
const VOLUME_KEY = 'volume';
/** Above this width the drawer is part of the page, up to it an overlay (rules/screens §1). */
export const NARROW_PX = 600;

const isNarrow = () => window.innerWidth <= NARROW_PX;

/** The volume as currently stored: another tab may have changed it. */
export function storedVolume(): number {
  const volume = Number(localStorage.getItem(VOLUME_KEY) ?? '1');
  return volume >= 0 && volume <= 1 ? volume : 1;
}

interface UiState {
  /** Full width beside the page, or icons only. */
  drawerExpanded: boolean;
  /** Whether the drawer overlay of narrow screens is open. */
  overlayOpen: boolean;
  /** On narrow screens the page has the whole height: the shell hides its top bar. */
  narrowFocus: boolean;
  pageCount: number | null;
  /** The first page is not drawn yet: what it shows is about to come. */
  pageHeld: boolean;
  colourMode: ColourMode;
  /** Of notification sounds, 0 to 1. */
  volume: number;
}

export const useUi = create<UiState>(() => ({
  drawerExpanded: !isNarrow() && localStorage.getItem(DRAWER_KEY) !== 'false',
  overlayOpen: false,
  narrowFocus: false,
  pageCount: null,
  pageHeld: false,
  colourMode: currentColourMode(),
  volume: storedVolume(),
}));

export function toggleDrawer() {
  const drawerExpanded = !useUi.getState().drawerExpanded;
  localStorage.setItem(DRAWER_KEY, String(drawerExpanded));
  useUi.setState({ drawerExpanded });
}

export const setOverlayOpen = (overlayOpen: boolean) => useUi.setState({ overlayOpen });

/** While mounted and active, an open conversation hides the top bar of narrow screens. */
export function useNarrowFocus(active: boolean) {
  useEffect(() => {
    useUi.setState({ narrowFocus: active });
    return () => useUi.setState({ narrowFocus: false });
  }, [active]);
}

/**
 * Shows the number of the page's items beside its name in the top bar; nothing while it is
 * undefined.
 */
export function usePageCount(count: number | undefined) {
  useEffect(() => {
    useUi.setState({ pageCount: count ?? null });
    return () => useUi.setState({ pageCount: null });
  }, [count]);
}

/** Holds the first page back; returns a function that has it drawn. */
export function holdPage() {
  useUi.setState({ pageHeld: true });
  return () => useUi.setState({ pageHeld: false });
}

export function toggleColourMode() {
  const colourMode = useUi.getState().colourMode === 'dark' ? 'light' : 'dark';
  storeColourMode(colourMode);
  useUi.setState({ colourMode });
}

/** Rounded to tenths, so that steps of 0.1 do not accumulate rounding errors. */
export function setVolume(value: number) {
  const volume = Math.round(value * 10) / 10;
  localStorage.setItem(VOLUME_KEY, String(volume));
  useUi.setState({ volume });
}
