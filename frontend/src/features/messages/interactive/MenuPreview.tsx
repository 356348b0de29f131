import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { ComposePreview } from '../ComposeDialog';
import { MenuCard, Rows } from '../content/MenuCard';
import { Marked } from '../content/Text';
import { parseMenu, type MenuKind } from '../parse';
import { shownOf, type MenuForm } from './form';

/** The message as the contact's phone shows it, while it is written. */
export function MenuPreview({ kind, form }: { kind: MenuKind; form: MenuForm }) {
  const { t } = useTranslation('interactive');
  const menu = parseMenu({ interactive: shownOf(kind, form) });
  return (
    <ComposePreview
      label={t('preview')}
      below={
        kind === 'list' &&
        menu.choices.length > 0 && (
          <chakra.div
            alignSelf="stretch"
            p="3"
            bg="bg.surface"
            borderWidth="1px"
            borderRadius="lg"
            minW="0"
          >
            <chakra.div textStyle="sm" fontWeight="semibold" mb="2" overflowWrap="anywhere">
              {menu.button}
            </chakra.div>
            <Rows choices={menu.choices} muted="fg.muted" />
          </chakra.div>
        )
      }
    >
      <MenuCard
        menu={{ ...menu, body: menu.body || (kind === 'product' ? '' : t('previewBody')) }}
        words={(text) => <Marked text={text} />}
        closed
      />
    </ComposePreview>
  );
}
