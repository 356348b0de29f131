import { useTranslation } from 'react-i18next';

/** Words for a field's error: a key of the texts ('field.…', 'connections:…'), or a sentence. */
export function useErrorText() {
  const { t, i18n } = useTranslation();
  return (message: string | undefined) =>
    message !== undefined && i18n.exists(message) ? t(message) : message;
}
