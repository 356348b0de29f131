import { useTranslation } from 'react-i18next';

/** Translates a field's error: a translation key ('field.…', 'connections:…'), or a sentence. */
export function useErrorText() {
  const { t, i18n } = useTranslation();
  return (message: string | undefined) =>
    message !== undefined && i18n.exists(message) ? t(message) : message;
}
