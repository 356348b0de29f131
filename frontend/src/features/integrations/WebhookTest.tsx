import { useTranslation } from 'react-i18next';
import { CopyLine } from '@/components/CopyLine';
import { formatCount } from '@/lib/format';
import { useReason } from '@/lib/useReason';
import { TestSection } from './TestSection';
import type { OutgoingWebhook } from './types';
import { useTestWebhook } from './webhookApi';

interface WebhookTestProps {
  webhook: OutgoingWebhook;
  /** The form has unsaved changes; the test uses the saved values. */
  isChanged: boolean;
}

/** Posts a test event and shows what the address answered. */
export function WebhookTest({ webhook, isChanged }: WebhookTestProps) {
  const { t } = useTranslation('webhooks');
  const test = useTestWebhook(webhook.id);
  const reason = useReason();
  const result = test.data;
  const outcome = result && {
    ok: result.ok,
    text: result.ok
      ? t('test.answered', { status: result.statusCode, shown: formatCount(result.durationMs) })
      : reason(result, result.error),
  };
  return (
    <TestSection
      action={t('test.action')}
      test={test}
      onRun={() => test.mutate()}
      blocked={isChanged && t('test.saveFirst')}
      outcome={outcome}
    >
      {result?.responseText && (
        <CopyLine block wrap text={result.responseText} label={t('test.copy')} />
      )}
    </TestSection>
  );
}
