import { chakra } from '@chakra-ui/react';
import {
  ContactRound,
  LayoutGrid,
  Link,
  List,
  MapPin,
  ShoppingBag,
  Store,
  ToggleRight,
  type LucideIcon,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { focusVisible } from '@/theme/recipes/controls';
import { MENU_KINDS, type MenuKind } from '../parse';

const ICONS: Readonly<Record<MenuKind, LucideIcon>> = {
  buttons: ToggleRight,
  list: List,
  link: Link,
  location_request: MapPin,
  contact_request: ContactRound,
  product: ShoppingBag,
  product_list: LayoutGrid,
  catalog: Store,
};

const Row = chakra('button', {
  base: {
    display: 'flex',
    alignItems: 'flex-start',
    gap: '3',
    w: 'full',
    p: '3',
    textAlign: 'start',
    borderRadius: 'md',
    cursor: 'pointer',
    transition: 'background-color',
    transitionDuration: 'fast',
    _hover: { bg: 'bg.hover' },
    _focusVisible: focusVisible,
    '&[aria-current=true]': { bg: 'brand.subtle' },
  },
});

/** The kinds of interactive messages, each with what it is for. */
export function KindList(props: { chosen: MenuKind | null; onChoose: (kind: MenuKind) => void }) {
  const { t } = useTranslation('interactive');
  return (
    <chakra.ul
      listStyleType="none"
      aria-label={t('kinds')}
      flex="1"
      minH="0"
      overflowY="auto"
      p="2"
    >
      {MENU_KINDS.map((kind) => {
        const Icon = ICONS[kind];
        return (
          <li key={kind}>
            <Row
              type="button"
              aria-current={kind === props.chosen}
              onClick={() => props.onChoose(kind)}
            >
              <chakra.span display="flex" mt="0.5" color="brand.fg" flexShrink="0">
                <Icon size={20} aria-hidden />
              </chakra.span>
              <chakra.span minW="0">
                <chakra.span display="block" textStyle="sm" fontWeight="semibold">
                  {t(`kind.${kind}.name`)}
                </chakra.span>
                <chakra.span display="block" textStyle="xs" color="fg.muted">
                  {t(`kind.${kind}.help`)}
                </chakra.span>
              </chakra.span>
            </Row>
          </li>
        );
      })}
    </chakra.ul>
  );
}
