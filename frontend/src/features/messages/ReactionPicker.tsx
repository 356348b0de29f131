import { chakra, Popover as Chakra } from '@chakra-ui/react';
import { Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '@/components/Button';
import { Portal } from '@/components/Portal';
import EmojiPanel from '@/components/EmojiPanel';
import type { MenuAnchor } from './MessageRow';

interface ReactionPickerProps {
  anchor: MenuAnchor;
  onPick: (emoji: string) => void;
  onClose: () => void;
}

/** A picker with all emojis, for a reaction. */
export function ReactionPicker({ anchor, onPick, onClose }: ReactionPickerProps) {
  const { t } = useTranslation('conversation');
  return (
    <Chakra.Root
      open
      onOpenChange={({ open }) => !open && onClose()}
      positioning={{ placement: 'bottom-end', getAnchorRect: () => anchor }}
      finalFocusEl={() => anchor.row}
    >
      <Portal>
        <Chakra.Positioner>
          <Chakra.Content w="min(340px, calc(100vw - 32px))" aria-label={t('menu.moreEmojis')}>
            <Chakra.Body>
              <Suspense
                fallback={
                  <chakra.div h="360px" display="flex" alignItems="center" justifyContent="center">
                    <Spinner size={20} />
                  </chakra.div>
                }
              >
                <EmojiPanel onPick={onPick} />
              </Suspense>
            </Chakra.Body>
          </Chakra.Content>
        </Chakra.Positioner>
      </Portal>
    </Chakra.Root>
  );
}
