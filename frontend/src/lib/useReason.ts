import { useTranslation } from 'react-i18next';

interface Reason {
  /** Its name, or the code of a refusal ('ERR_…'); '' for one of which only the sentence is known. */
  reasonCode: string;
  /** What the provider said of it, or who did it. */
  reasonDetail: string;
}

/**
 * Why something failed, in the reader's language; the server's sentence where it has no name of its
 * own. Nothing until the words are there, so that nobody reads another language meanwhile.
 */
export function useReason() {
  const { t, i18n, ready } = useTranslation(['reasons', 'errors'], { useSuspense: false });
  return ({ reasonCode, reasonDetail }: Reason, sentence: string) => {
    if (!reasonCode) return sentence;
    if (!ready) return '';
    const key = reasonCode.startsWith('ERR_') ? `errors:${reasonCode}` : `reasons:${reasonCode}`;
    if (!i18n.exists(key)) return sentence;
    return t(key, { detail: reasonDetail, ...(reasonDetail && { context: 'detail' }) });
  };
}
