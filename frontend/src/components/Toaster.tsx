import { chakra, Toast, Toaster as Chakra } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { toaster } from '@/lib/toast';
import { Portal } from './Portal';

const LOOKS = {
  success: { Icon: CircleCheck, colour: 'status.live.fg' },
  error: { Icon: CircleAlert, colour: 'status.danger.fg' },
  warning: { Icon: TriangleAlert, colour: 'status.waiting.fg' },
  info: { Icon: Info, colour: 'status.info.fg' },
};

/**
 * Keeps the focus where it is when a notice's button is pressed: as the notice leaves, its region
 * would give the focus back, also when a finger has begun to press a field elsewhere.
 */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/** Shows the notices of lib/toast.ts; mounted once in the application. */
export function Toaster() {
  const { t } = useTranslation();
  return (
    <Portal>
      <Chakra
        toaster={toaster}
        aria-label={t('toasts', { keys: 'Alt+T' })}
        insetInline={{ mdDown: '4' }}
      >
        {(notice) => {
          const { Icon, colour } = LOOKS[(notice.type ?? 'info') as keyof typeof LOOKS];
          return (
            <Toast.Root>
              <chakra.span color={colour} display="flex">
                <Icon size={20} />
              </chakra.span>
              <Toast.Title>{notice.title}</Toast.Title>
              {notice.action && (
                <Toast.ActionTrigger
                  onMouseDown={keepFocus}
                  flexShrink="0"
                  color="brand.fg"
                  fontWeight="semibold"
                  cursor="pointer"
                  whiteSpace="nowrap"
                  _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
                >
                  {notice.action.label}
                </Toast.ActionTrigger>
              )}
              <Toast.CloseTrigger aria-label={t('actions.close')} onMouseDown={keepFocus}>
                <X size={16} />
              </Toast.CloseTrigger>
            </Toast.Root>
          );
        }}
      </Chakra>
    </Portal>
  );
}
