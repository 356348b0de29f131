import { chakra } from '@chakra-ui/react';
import { ListChecks } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Meta, MetaSpace } from '../BubbleTime';
import { parseMenu, parseData } from '../parse';
import type { Message } from '../types';
import { MenuCard } from './MenuCard';
import { Choice, Small } from './parts';
import { Marked, Text } from './Text';

/** A menu of buttons or rows, or the choice made from one. */
export function Interactive({ message }: { message: Message }) {
  const { t } = useTranslation('conversation');
  const menu = parseMenu(parseData(message.dataJson));
  if (menu.kind !== null) {
    return (
      <MenuCard
        menu={menu}
        words={(text) => <Marked text={text} />}
        meta={<Meta message={message} />}
        metaSpace={<MetaSpace message={message} />}
      />
    );
  }
  if (menu.choices.length === 0 && !menu.header && !menu.footer) {
    return (
      <chakra.div>
        {!message.fromMe && (
          <chakra.div
            display="flex"
            alignItems="center"
            gap="1.5"
            textStyle="xs"
            color="fg.muted"
            mb="0.5"
          >
            <ListChecks size={14} aria-hidden />
            {t('chosen')}
          </chakra.div>
        )}
        <Text message={message} text={menu.body || message.body} />
      </chakra.div>
    );
  }
  return (
    <chakra.div minW="200px">
      {menu.header && <chakra.div fontWeight="semibold">{menu.header}</chakra.div>}
      <chakra.div whiteSpace="pre-wrap" overflowWrap="anywhere">
        <Marked text={menu.body || message.body} />
      </chakra.div>
      {menu.footer && <Small>{menu.footer}</Small>}
      <chakra.div role="list" mt="1.5" mb="4">
        {menu.choices.map(({ title, description }, index) => (
          <Choice key={index} role="listitem">
            {title}
            {description && (
              <chakra.div
                textStyle="xs"
                fontWeight="normal"
                color={message.fromMe ? 'bubble.out.meta' : 'fg.muted'}
              >
                {description}
              </chakra.div>
            )}
          </Choice>
        ))}
      </chakra.div>
      <Meta message={message} />
    </chakra.div>
  );
}
