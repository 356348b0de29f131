import { useTranslation } from 'react-i18next';
import { i18n } from '@/i18n';
import type { Reason } from '@/lib/api/errors';

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
