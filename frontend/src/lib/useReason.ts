import { useTranslation } from 'react-i18next';
import { i18n } from '@/i18n';
import type { ApiError, Reason } from '@/lib/api/errors';

/** These say only of what kind a refusal is: the server's sentence says more, in its own language. */
const GENERAL = [
  'ERR_NOT_FOUND',
  'ERR_MALFORMED_REQUEST',
  'ERR_REQUEST',
  'ERR_TEMPLATE_PARAMETERS',
];

/** Whether what the server wrote is both understood and better than the words of the code. */
export const isToldBetter = (error: ApiError) =>
  GENERAL.includes(error.code) && i18n.language.startsWith('pt');

/** The words of a reason by its name, once they are there; nothing where it has none. */
export function reasonWords({ reasonCode, reasonDetail }: Reason): string | undefined {
  const key = reasonCode.startsWith('ERR_') ? `errors:${reasonCode}` : `reasons:${reasonCode}`;
  if (!reasonCode || !i18n.exists(key)) return undefined;
  return i18n.t(key, { detail: reasonDetail, ...(reasonDetail && { context: 'detail' }) });
}

/**
 * Why something failed, in the reader's language; the server's sentence where it has no name of its
 * own. Nothing until the words are there, so that nobody reads another language meanwhile.
 */
export function useReason() {
  const { ready } = useTranslation(['reasons', 'errors'], { useSuspense: false });
  return (reason: Reason, sentence: string) => {
    if (!reason.reasonCode) return sentence;
    return ready ? (reasonWords(reason) ?? sentence) : '';
  };
}
