import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { Skeleton } from '@/components/States';
import { errorMessage } from '@/lib/toast';
import { webhookQuery } from './api';
import { Section } from './fields';

/** The webhook values to enter at Meta. */
export function WebhookSection() {
  const { t } = useTranslation(['connections', 'common']);
  const webhook = useQuery(webhookQuery());
  return (
    <Section title={t('webhook.title')} text={t('webhook.text')}>
      {webhook.isError ? (
        <chakra.div role="alert" display="flex" alignItems="center" gap="3" textStyle="sm">
          {errorMessage(webhook.error)}
          <Button size="sm" variant="outline" onClick={() => void webhook.refetch()}>
            {t('common:actions.retry')}
          </Button>
        </chakra.div>
      ) : (
        <>
          <Line
            label={t('webhook.address')}
            copy={t('webhook.copyAddress')}
            text={webhook.data?.address}
          />
          <Line
            label={t('webhook.verifyToken')}
            copy={t('webhook.copyVerifyToken')}
            text={webhook.data?.verifyToken}
            missing={t('webhook.noVerifyToken')}
          />
        </>
      )}
      <chakra.p textStyle="xs" color="fg.muted">
        {t('webhook.secret')}
      </chakra.p>
    </Section>
  );
}

interface LineProps {
  label: string;
  copy: string;
  text: string | undefined;
  /** Shown in place of an empty value. */
  missing?: string;
}

function Line({ label, copy, text, missing }: LineProps) {
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5" minW="0">
      <chakra.span textStyle="sm" fontWeight="semibold">
        {label}
      </chakra.span>
      {text === undefined ? (
        <Skeleton display="block" h="10" w="full" />
      ) : text === '' ? (
        <chakra.p textStyle="sm" color="status.danger.fg">
          {missing}
        </chakra.p>
      ) : (
        <CopyLine text={text} label={copy} />
      )}
    </chakra.div>
  );
}
