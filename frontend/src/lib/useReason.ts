import { useTranslation } from 'react-i18next';
import { i18n } from '@/i18n';
import type { ApiError, Reason } from '@/lib/api/errors';

/**
 * Codes that name only the kind of refusal: the server's sentence says more, in its own language.
 */
const GENERAL = [
  'ERR_NOT_FOUND',
  'ERR_MALFORMED_REQUEST',
  'ERR_REQUEST',
  'ERR_TEMPLATE_PARAMETERS',
];

/**
 * Whether the server's sentence is in the user's language and more precise than the translated
 * code.
 */
export const isToldBetter = (error: ApiError) =>
  GENERAL.includes(error.code) && i18n.language.startsWith('pt');

/** The translation of a reason, if it is loaded and exists. */
export function reasonWords({ reasonCode, reasonDetail }: Reason): string | undefined {
  const key = reasonCode.startsWith('ERR_') ? `errors:${reasonCode}` : `reasons:${reasonCode}`;
  if (!reasonCode || !i18n.exists(key)) return undefined;
  return i18n.t(key, { detail: reasonDetail, ...(reasonDetail && { context: 'detail' }) });
}

/**
 * Translates a reason into the user's language; falls back to the server's sentence for a reason
 * without a name. Returns nothing until the translations are loaded, so that no other language is
 * shown meanwhile.
 */
export function useReason() {
  const { ready } = useTranslation(['reasons', 'errors'], { useSuspense: false });
  return (reason: Reason, sentence: string) => {
    if (!reason.reasonCode) return sentence;
    return ready ? (reasonWords(reason) ?? sentence) : '';
  };
}
