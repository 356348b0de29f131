import { useTranslation } from 'react-i18next';
import { useBlocker } from 'react-router';
import { isLostBy } from '@/lib/unsaved';
import { ConfirmDialog } from './Dialog';

/** Asks before a navigation that would drop unsaved input; mounted once in the application. */
export function UnsavedGuard() {
  const { t } = useTranslation();
  const blocker = useBlocker(({ historyAction, currentLocation, nextLocation }) =>
    isLostBy(historyAction, currentLocation.pathname !== nextLocation.pathname),
  );
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      onConfirm={() => blocker.proceed?.()}
      title={t('dialog.discardTitle')}
      confirmLabel={t('actions.discard')}
      cancelLabel={t('actions.keepEditing')}
    >
      {t('dialog.discardText')}
    </ConfirmDialog>
  );
}
