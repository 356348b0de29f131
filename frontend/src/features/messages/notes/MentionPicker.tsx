import { chakra } from '@chakra-ui/react';
import { Inbox } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { PersonPresence } from '@/features/desk/api';
import { target } from '@/theme/screens';
import type { NoteName } from '../types';

export const LIST_ID = 'note-names';
export const optionId = ({ kind, id }: Pick<NoteName, 'kind' | 'id'>) => `note-name-${kind}-${id}`;

interface MentionPickerProps {
  names: readonly NoteName[];
  activeKey: NoteName;
  onChoose: (name: NoteName) => void;
  /** The pointer is over the name at this place. */
  onMark: (place: number) => void;
}

/** The people and queues that a typed '@' may mean, above the note's field, which has the focus. */
export function MentionPicker({ names, activeKey, onChoose, onMark }: MentionPickerProps) {
  const { t } = useTranslation('messages');
  return (
    <chakra.div
      id={LIST_ID}
      role="listbox"
      aria-label={t('note.names')}
      position="absolute"
      bottom="calc(100% + 8px)"
      insetInline="0"
      zIndex="docked"
      maxH="min(320px, 45vh)"
      overflowY="auto"
      p="1"
      borderRadius="lg"
      bg="bg.raised"
      boxShadow="popover"
    >
      {names.map((name, place) => {
        const isActive = name === activeKey;
        return (
          <chakra.div
            key={optionId(name)}
            id={optionId(name)}
            role="option"
            aria-selected={isActive}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => {
              if (!isActive) onMark(place);
            }}
            onClick={() => onChoose(name)}
            display="flex"
            alignItems="center"
            gap="2.5"
            minH="9"
            css={target}
            px="3"
            py="1"
            borderRadius="sm"
            textStyle="sm"
            cursor="pointer"
            bg={isActive ? 'brand.subtle' : undefined}
          >
            {name.kind === 'user' ? (
              <Avatar name={name.name} size={22} />
            ) : (
              <chakra.span aria-hidden display="flex" justifyContent="center" w="22px">
                <Inbox size={16} />
              </chakra.span>
            )}
            <chakra.span flex="1" minW="0" truncate color={isActive ? 'brand.fg' : undefined}>
              {name.name}
            </chakra.span>
            {name.kind === 'user' ? (
              <PersonPresence userId={name.id} words />
            ) : (
              <chakra.span flexShrink="0" textStyle="xs" color="fg.muted">
                {t('note.queue')}
              </chakra.span>
            )}
          </chakra.div>
        );
      })}
    </chakra.div>
  );
}
