import { useTranslation } from 'react-i18next';
import { useUnsent } from '@/stores/unsent';
import { ConfirmDialog } from './Dialog';

/** Asks `confirmUnsent`'s question; mounted once in the application. */
export function UnsentGuard() {
  const { t } = useTranslation();
  const question = useUnsent((unsent) => unsent.question);
  if (!question) return null;
  const { leaving, count, answer } = question;
  return (
    <ConfirmDialog
      open
      onClose={() => answer(false)}
      onConfirm={() => answer(true)}
      title={t('unsent.title', { count })}
      confirmLabel={t(`unsent.${leaving}.confirm`)}
      cancelLabel={t('unsent.stay')}
    >
      {t(`unsent.${leaving}.text`)}
    </ConfirmDialog>
  );
}
