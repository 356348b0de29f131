import { useTranslation } from 'react-i18next';
import { useErrorText } from '@/lib/useErrorText';

/** Translates a field's error: a key of the passwordReset texts, or the server's message. */
export function useWords() {
  const { t, i18n } = useTranslation('passwordReset');
  const errorText = useErrorText();
  return (message: string | undefined) =>
    message && i18n.exists(`passwordReset:${message}`) ? t(message) : errorText(message);
}
