import { chakra } from '@chakra-ui/react';
import { MessageCircle, StickyNote } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { touch } from '@/theme/screens';

interface ComposeTabsProps {
  isNote: boolean;
  onChange: (isNote: boolean) => void;
}

/** Chooses between a message to the contact and a note for the team. */
export function ComposeTabs({ isNote, onChange }: ComposeTabsProps) {
  const { t } = useTranslation('messages');
  const tabs = [
    { note: false, label: t('note.message'), icon: <MessageCircle size={14} aria-hidden /> },
    { note: true, label: t('note.tab'), icon: <StickyNote size={14} aria-hidden /> },
  ];
  return (
    <chakra.div role="group" aria-label={t('note.choice')} display="flex" gap="1" pb="1">
      {tabs.map(({ note, label, icon }) => {
        const isChosen = note === isNote;
        return (
          <chakra.button
            key={label}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChange(note)}
            display="inline-flex"
            alignItems="center"
            gap="1.5"
            h="7"
            css={{ [touch]: { h: '11' } }}
            px="2.5"
            borderRadius="sm"
            textStyle="xs"
            fontWeight="medium"
            cursor="pointer"
            color={isChosen ? (note ? 'status.waiting.fg' : 'brand.fg') : 'fg.muted'}
            bg={isChosen ? (note ? 'status.waiting.subtle' : 'brand.subtle') : 'transparent'}
            _hover={isChosen ? {} : { bg: 'bg.hover' }}
            _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
          >
            {icon}
            {label}
          </chakra.button>
        );
      })}
    </chakra.div>
  );
}
