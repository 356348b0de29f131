import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { formatCount } from '@/lib/format';
import { toast } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { useAskPhone } from './api';
import { Section } from './fields';
import type { PhoneSync } from './types';

const AGAIN = new Set<PhoneSync['state']>(['unclear', 'failed']);

/** The syncs requested from a number's phone, their progress, and a button to request again. */
export function PhoneSection({ id, syncs }: { id: number; syncs: PhoneSync[] }) {
  const { t } = useTranslation('connections');
  const ask = useAskPhone(id);
  return (
    <Section title={t('phone.title')} text={t('phone.text')}>
      <chakra.ul listStyleType="none" display="flex" flexDirection="column" gap="4">
        {syncs.map((sync) => (
          <chakra.li key={sync.kind} display="flex" flexDirection="column" gap="2" textStyle="sm">
            <Progress sync={sync} />
            {AGAIN.has(sync.state) && (
              <>
                <chakra.p color="fg.muted">{t('phone.riskText')}</chakra.p>
                <Button
                  variant="outline"
                  alignSelf="start"
                  // There may be two such buttons: the name contains the label and the kind of
                  // sync.
                  aria-label={t(`phone.againOne.${sync.kind}`)}
                  loading={ask.isPending && ask.variables === sync.kind}
                  onClick={() => ask.mutate(sync.kind, { onError: toast.error })}
                >
                  {t('phone.again')}
                </Button>
              </>
            )}
          </chakra.li>
        ))}
      </chakra.ul>
    </Section>
  );
}

function Progress({ sync }: { sync: PhoneSync }) {
  const { t } = useTranslation('connections');
  const reasonOf = useReason();
  const { kind, state, phase, progress, received } = sync;
  const isRunning = state === 'running';
  const words = [
    t(`phone.state.${state}`, { progress }),
    isRunning && (phase === 0 || phase === 1 || phase === 2) && t(`phone.phase.${phase}`),
    received > 0 && t(`phone.received.${kind}`, { count: received, shown: formatCount(received) }),
  ].filter(Boolean);
  const reason = state === 'failed' && reasonOf(sync, sync.sentence);
  return (
    <>
      <chakra.div display="flex" justifyContent="space-between" alignItems="baseline" gap="4">
        <chakra.span color="fg.muted">{t(`phone.kind.${kind}`)}</chakra.span>
        <chakra.span textAlign="end" fontVariantNumeric="tabular-nums">
          {words.join(' · ')}
        </chakra.span>
      </chakra.div>
      {isRunning && (
        <chakra.div
          role="progressbar"
          aria-label={t('phone.progress')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={progress}
          h="1.5"
          borderRadius="full"
          bg="bg.subtle"
          overflow="hidden"
        >
          <chakra.div h="full" bg="brand.solid" style={{ width: `${progress}%` }} />
        </chakra.div>
      )}
      {state === 'declined' && <chakra.p color="fg.muted">{t('phone.declinedText')}</chakra.p>}
      {reason && (
        <chakra.p color="fg.muted" overflowWrap="anywhere">
          {reason}
        </chakra.p>
      )}
    </>
  );
}
