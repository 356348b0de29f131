import { chakra } from '@chakra-ui/react';
import { MessageSquarePlus, UserPlus, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { formatPhone } from '@/lib/format';
import { MetaLine } from '../BubbleTime';
import { parseCards, parseCloudCards, parseData } from '../parse';
import type { Message } from '../types';
import { Inset } from './parts';
import { Text } from './Text';

/** One number of a card, for the dialogs of the page. */
export interface CardNumber {
  name: string;
  number: string;
}

/** The page's actions for a card; an omitted one is not offered. */
export interface CardActions {
  onSaveContact?: ((card: CardNumber) => void) | undefined;
  onStartTicket?: ((card: CardNumber) => void) | undefined;
}

/** Shared contacts, with the actions for each number. */
export function ContactCards({ message, actions }: { message: Message; actions: CardActions }) {
  const { t } = useTranslation(['messages', 'conversation']);
  const fromText = parseCards(message.body);
  const cards = fromText.length > 0 ? fromText : parseCloudCards(parseData(message.dataJson));
  if (cards.length === 0) return <Text message={message} />;
  const { onSaveContact, onStartTicket } = actions;
  return (
    <chakra.div w="296px" maxW="full">
      <chakra.div display="flex" flexDirection="column" gap="1">
        {cards.map((card, index) => (
          <Inset key={index} alignItems="flex-start">
            <chakra.span
              aria-hidden
              display="flex"
              p="2"
              borderRadius="full"
              bg="bg.raised"
              color="fg.muted"
            >
              <UserRound size={20} />
            </chakra.span>
            <chakra.div flex="1" minW="0">
              <chakra.div fontWeight="semibold" truncate lineHeight="36px">
                {card.name || t('kinds.vcard')}
              </chakra.div>
              {card.numbers.map((number) => {
                const shown = formatPhone(number);
                const digits = number.replace(/(?!^\+)\D/g, '');
                return (
                  <chakra.div key={number} display="flex" alignItems="center" gap="0.5" minH="8">
                    <chakra.span
                      flex="1"
                      minW="0"
                      textStyle="sm"
                      color="fg.muted"
                      fontVariantNumeric="tabular-nums"
                      truncate
                    >
                      {shown}
                    </chakra.span>
                    {onSaveContact && digits && (
                      <IconButton
                        label={t('conversation:card.save', { number: shown })}
                        icon={<UserPlus size={16} />}
                        size="sm"
                        onClick={() => onSaveContact({ name: card.name, number: digits })}
                      />
                    )}
                    {onStartTicket && digits && (
                      <IconButton
                        label={t('conversation:card.start', { number: shown })}
                        icon={<MessageSquarePlus size={16} />}
                        size="sm"
                        onClick={() => onStartTicket({ name: card.name, number: digits })}
                      />
                    )}
                  </chakra.div>
                );
              })}
            </chakra.div>
          </Inset>
        ))}
      </chakra.div>
      <MetaLine message={message} />
    </chakra.div>
  );
}
