import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ArrowRight } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@/components/Button';
import { ErrorState, Skeleton } from '@/components/States';
import { planAllows } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { settingsQuery, useSetting } from './api';
import { AsaasRow } from './AsaasRow';
import { EXAMPLES } from './examples';
import { RatingTemplateRow } from './RatingTemplateRow';
import {
  CountryRow,
  MenuTypeRow,
  RatingDaysRow,
  ReopenRow,
  ScheduleTypeRow,
  SwitchRow,
  WaitingOrderRow,
  ZoneRow,
} from './settingRows';
import { TextRow } from './TextRow';

/** The settings in groups; each is saved as soon as it is changed (rules/companies §5). */
export function SettingsList({ onHours }: { onHours: () => void }) {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(settingsQuery());
  const user = useCurrentUser();
  const zone = useSetting('timeZone');
  const country = useSetting('country');
  const reopenWindow = useSetting('reopenWindowMinutes');
  if (error && !data)
    return <ErrorState title={t('failed')} error={error} onRetry={() => void refetch()} />;
  if (!data) return <SettingsSkeleton />;

  const wayOn: Record<string, ReactNode> = {
    company: (
      <Button size="sm" variant="outline" onClick={onHours}>
        {t('options.scheduleType.toHours')}
        <ArrowRight size={16} />
      </Button>
    ),
    queue: (
      <Button asChild size="sm" variant="outline">
        <Link to="/queues">
          {t('options.scheduleType.toQueues')}
          <ArrowRight size={16} />
        </Link>
      </Button>
    ),
  };

  return (
    <>
      <Group title={t('groups.service')}>
        <SwitchRow name="allowToSpyMessage" />
        <SwitchRow name="CheckMsgIsGroup" />
        <SwitchRow name="importHistory" />
        <ReopenRow current={reopenWindow} />
        <SwitchRow name="closePending" />
        <SwitchRow name="call" />
        <WaitingOrderRow />
        <SwitchRow name="assignment" />
        <TextRow name="closingReasons" lines />
        <TextRow name="closingFields" />
        <CountryRow current={country} />
      </Group>
      <Group title={t('groups.bot')}>
        <MenuTypeRow />
        <ScheduleTypeRow
          after={(type) => wayOn[type] && <chakra.div mt="3">{wayOn[type]}</chakra.div>}
        />
        <ZoneRow current={zone} />
      </Group>
      <Group title={t('groups.messages')}>
        <SwitchRow name="sendGreetingAccepted" example={EXAMPLES.accepted} />
        <SwitchRow name="sendMsgTransfTicket" example={EXAMPLES.transferred} />
        <SwitchRow name="userRating" />
        <RatingDaysRow />
        <RatingTemplateRow />
        <SwitchRow name="alertReceivingAudio" />
      </Group>
      {planAllows(user, 'useIntegrations') && (
        <Group title={t('groups.integrations')}>
          <AsaasRow />
        </Group>
      )}
    </>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <chakra.section aria-labelledby={id}>
      <chakra.h2 id={id} textStyle="sm" fontWeight="semibold" mb="2">
        {title}
      </chakra.h2>
      <chakra.div borderWidth="1px" borderRadius="md" bg="bg.surface">
        {children}
      </chakra.div>
    </chakra.section>
  );
}

function SettingsSkeleton() {
  const { t } = useTranslation(['settings', 'common']);
  return (
    <chakra.div role="status" aria-label={t('common:loading')}>
      {[5, 3].map((rows) => (
        <chakra.div key={rows} mb="6">
          <Skeleton display="block" w="28" h="3" mb="3" />
          <chakra.div borderWidth="1px" borderRadius="md" bg="bg.surface">
            {Array.from({ length: rows }, (_, row) => (
              <chakra.div
                key={row}
                display="flex"
                alignItems="center"
                gap="4"
                px="5"
                py="3.5"
                _notFirst={{ borderTopWidth: '1px' }}
              >
                <chakra.div flex="1" display="flex" flexDirection="column" gap="2">
                  <Skeleton h="3" style={{ width: `${22 + ((row * 17) % 20)}%` }} />
                  <Skeleton h="2.5" style={{ width: `${52 + ((row * 23) % 30)}%` }} />
                </chakra.div>
                <Skeleton w="9" h="5" borderRadius="full" />
              </chakra.div>
            ))}
          </chakra.div>
        </chakra.div>
      ))}
    </chakra.div>
  );
}
