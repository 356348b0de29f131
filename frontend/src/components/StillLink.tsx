import {
  createContext,
  useContext,
  type ComponentProps,
  type MouseEvent,
  type ReactNode,
} from 'react';
import { useNavigate, type NavigateOptions } from 'react-router';
import { useStableCallback } from '@/lib/useStableCallback';

type Go = (to: string, options?: NavigateOptions) => void;

const GoContext = createContext<Go | null>(null);

/** Gives the links of all pages their way to navigate; it alone follows the address. */
export function StillLinks({ children }: { children: ReactNode }) {
  const navigate = useNavigate();
  const go = useStableCallback(
    (to: string, options?: NavigateOptions) => void navigate(to, options),
  );
  return <GoContext value={go}>{children}</GoContext>;
}

interface StillLinkProps extends ComponentProps<'a'> {
  /** An absolute path of the application, with its query. */
  to: string;
  state?: unknown;
}

const isHere = (to: string) => to === window.location.pathname + window.location.search;

/**
 * A link to another page that renders only when its own props change. The router's own renders at
 * every change of the address: with a drawer of entries and a list of rows, more than a page itself.
 */
export function StillLink({ to, state, onClick, ...props }: StillLinkProps) {
  const go = useContext(GoContext);
  const onPress = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    const isForBrowser =
      event.button !== 0 || event.metaKey || event.altKey || event.ctrlKey || event.shiftKey;
    if (!go || event.defaultPrevented || isForBrowser) return;
    event.preventDefault();
    go(to, { state, replace: isHere(to) });
  };
  return <a {...props} href={to} onClick={onPress} />;
}
