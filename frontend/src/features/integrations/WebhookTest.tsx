import { chakra } from '@chakra-ui/react';
import { FlaskConical } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { formatCount } from '@/lib/format';
import { errorMessage } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
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
  return (
    <chakra.div display="flex" flexDirection="column" gap="3" alignItems="flex-start" minW="0">
      <chakra.div display="flex" alignItems="center" gap="3" flexWrap="wrap">
        <Button
          variant="outline"
          size="sm"
          icon={<FlaskConical size={16} />}
          loading={test.isPending}
          disabled={isChanged}
          onClick={() => test.mutate()}
        >
          {t('test.action')}
        </Button>
        {isChanged && (
          <chakra.span textStyle="xs" color="fg.muted">
            {t('test.saveFirst')}
          </chakra.span>
        )}
      </chakra.div>
      <chakra.div role="status" w="full" textStyle="sm" display="grid" gap="2">
        {test.isError && (
          <chakra.p color="status.danger.fg" overflowWrap="anywhere">
            {errorMessage(test.error)}
          </chakra.p>
        )}
        {result && (
          <chakra.p
            color={result.ok ? 'status.live.fg' : 'status.danger.fg'}
            fontWeight="medium"
            overflowWrap="anywhere"
          >
            {result.ok
              ? t('test.answered', {
                  status: result.statusCode,
                  shown: formatCount(result.durationMs),
                })
              : reason(result, result.error)}
          </chakra.p>
        )}
        {result?.responseText && (
          <CopyLine block wrap text={result.responseText} label={t('test.copy')} />
        )}
      </chakra.div>
    </chakra.div>
  );
}
