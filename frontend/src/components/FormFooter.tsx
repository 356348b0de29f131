import { useTranslation } from 'react-i18next';
import { Button } from './Button';

interface FormFooterProps {
  onCancel: () => void;
  /** The primary action's verb. */
  submit: string;
  busy: boolean;
}

/** The buttons of a dialog that is a form. */
export function FormFooter({ onCancel, submit, busy }: FormFooterProps) {
  const { t } = useTranslation();
  return (
    <>
      <Button variant="outline" onClick={onCancel}>
        {t('actions.cancel')}
      </Button>
      <Button type="submit" loading={busy}>
        {submit}
      </Button>
    </>
  );
}
