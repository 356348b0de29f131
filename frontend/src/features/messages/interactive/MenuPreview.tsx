import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Bubble } from '@/components/Bubble';
import { MenuCard, Rows } from '../content/MenuCard';
import { Marked } from '../content/Text';
import { parseMenu, type MenuKind } from '../parse';
import { shownOf, type MenuForm } from './form';

/** The message as the contact's phone shows it, while it is written. */
export function MenuPreview({ kind, form }: { kind: MenuKind; form: MenuForm }) {
  const { t } = useTranslation('interactive');
  const menu = parseMenu({ interactive: shownOf(kind, form) });
  return (
    <chakra.section
      aria-label={t('preview')}
      display="flex"
      flexDirection="column"
      gap="3"
      p="4"
      minH="0"
      h={{ md: 'full' }}
      overflowY="auto"
      bg="bg.thread"
      borderRadius={{ base: 'md', md: '0' }}
    >
      <chakra.h3 textStyle="xs" fontWeight="medium" color="fg.muted">
        {t('preview')}
      </chakra.h3>
      <chakra.div alignSelf="flex-end" maxW="full" minW="0" pe="2" textStyle="md">
        <Bubble out first failed={false}>
          <MenuCard
            menu={{ ...menu, body: menu.body || (kind === 'product' ? '' : t('previewBody')) }}
            words={(text) => <Marked text={text} />}
            closed
          />
        </Bubble>
      </chakra.div>
      {kind === 'list' && menu.choices.length > 0 && (
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
      )}
    </chakra.section>
  );
}
