import { chakra, Drawer } from '@chakra-ui/react';
import { memo, useEffect, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { ConnectionBanner } from '@/components/ConnectionBanner';
import { Portal, PortalPlace, usePortalPlace } from '@/components/Portal';
import { Tooltips } from '@/components/Tooltips';
import { formatCount } from '@/lib/format';
import { opens } from '@/lib/permissions';
import { useMedia } from '@/lib/useMedia';
import { useBadges } from '@/stores/badges';
import { useCurrentUser } from '@/stores/session';
import { setOverlayOpen, useUi } from '@/stores/ui';
import { DrawerContent } from './DrawerContent';
import type { NavigationEntry } from './navigation';
import { TopBar } from './TopBar';
import { useConnectionWarning } from './useConnectionWarning';

/** Up to this width only the collapsed drawer fits beside the page. */
const FOLDED = '(max-width: 1023px)';

const openOverlay = () => setOverlayOpen(true);

interface ShellProps {
  /** The drawer's entry of the page. */
  entry: NavigationEntry | undefined;
  children: ReactNode;
  onProfile?: () => void;
  onSecurity?: () => void;
  /** Opens the command palette. */
  onSearch?: () => void;
  /** Announcements and team chat in the top bar. */
  news?: ReactNode;
  /** Shown between the top bar and the page. */
  notice?: ReactNode;
}

/** The frame of all pages: drawer, top bar and the page. Memoised: addresses of a page share it. */
export const Shell = memo(function Shell(props: ShellProps) {
  const { entry, children, onProfile, onSecurity, onSearch, news, notice } = props;
  const { t } = useTranslation(['shell', 'common']);
  const user = useCurrentUser();
  const expanded = useUi((ui) => ui.drawerExpanded);
  const folded = useMedia(FOLDED);
  const unread = useBadges((badges) => badges.unread);
  const overlayOpen = useUi((ui) => ui.overlayOpen);
  const isBare = useUi((ui) => ui.narrowFocus);
  const connectionWarning = useConnectionWarning(opens(user, 'connections'));
  const portals = usePortalPlace();
  const title = t(`pages.${entry?.id ?? 'notFound'}`);

  useEffect(() => {
    const count = unread > 0 ? `(${formatCount(unread)}) ` : '';
    document.title = `${count}${title} · Balcão`;
  }, [title, unread]);

  return (
    <PortalPlace value={portals.place}>
      <chakra.div display="flex" h="full">
        <chakra.a
          href="#content"
          position="absolute"
          top="-100px"
          insetStart="2"
          zIndex="tooltip"
          px="3"
          py="2"
          bg="bg.raised"
          borderRadius="md"
          boxShadow="popover"
          _focus={{ top: '2' }}
        >
          {t('common:skipToContent')}
        </chakra.a>
        <chakra.aside
          display={{ base: 'none', sm: 'block' }}
          flexShrink="0"
          borderEndWidth="1px"
          transition="width"
          transitionDuration="slow"
          w={expanded && !folded ? 'drawer' : 'drawerCollapsed'}
          overflow="hidden"
        >
          <DrawerContent
            current={entry}
            expanded={expanded && !folded}
            connectionWarning={connectionWarning}
            {...(folded && { onExpand: openOverlay })}
          />
        </chakra.aside>
        <Drawer.Root
          open={overlayOpen}
          onOpenChange={({ open }) => setOverlayOpen(open)}
          placement="start"
          lazyMount
          unmountOnExit
        >
          <Portal>
            <Drawer.Backdrop />
            <Drawer.Positioner>
              {/* Any click in the drawer closes it, on an entry or elsewhere. */}
              <Drawer.Content
                w="drawer"
                aria-label={t('drawer.navigation')}
                onClick={() => setOverlayOpen(false)}
              >
                <DrawerContent
                  current={entry}
                  expanded
                  overlay
                  connectionWarning={connectionWarning}
                />
              </Drawer.Content>
            </Drawer.Positioner>
          </Portal>
        </Drawer.Root>
        <chakra.div display="flex" flexDirection="column" flex="1" minW="0">
          <chakra.div position="relative" flexShrink="0">
            <TopBar
              title={title}
              onProfile={onProfile}
              onSecurity={onSecurity}
              onSearch={onSearch}
              news={news}
            />
            <ConnectionBanner isBare={isBare} />
          </chakra.div>
          {notice}
          <chakra.main
            id="content"
            tabIndex={-1}
            outline="none"
            flex="1"
            minH="0"
            display="flex"
            flexDirection="column"
          >
            {children}
            <Tooltips />
            {portals.holder}
          </chakra.main>
        </chakra.div>
      </chakra.div>
    </PortalPlace>
  );
});
