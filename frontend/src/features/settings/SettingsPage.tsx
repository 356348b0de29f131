import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Tabs } from '@/components/Tabs';
import { useSetting } from './api';
import { Hours } from './Hours';
import { SettingsList } from './SettingsList';

type TabName = 'options' | 'hours';

/** The settings page (rules/companies §5); its hours exist while the company has its own. */
export function SettingsPage() {
  const { t } = useTranslation('settings');
  const [params, setParams] = useSearchParams();
  const hasHours = useSetting('scheduleType') === 'company';
  const shown: TabName = hasHours && params.get('tab') === 'hours' ? 'hours' : 'options';
  const show = (tab: TabName) =>
    setParams(tab === 'options' ? {} : { tab }, { replace: tab === 'options' });

  return (
    <chakra.div flex="1" minH="0" display="flex" flexDirection="column" bg="bg.canvas">
      <chakra.div pt="2" px={{ base: '4', sm: '6' }}>
        <Tabs
          aria-label={t('tabs.label')}
          value={shown}
          onChange={show}
          tabs={[
            { value: 'options', label: t('tabs.options') },
            ...(hasHours ? [{ value: 'hours' as const, label: t('tabs.hours') }] : []),
          ]}
        />
      </chakra.div>
      <Column>
        {shown === 'hours' ? <Hours /> : <SettingsList onHours={() => show('hours')} />}
      </Column>
    </chakra.div>
  );
}

/** What scrolls: one column, no wider than reads well. */
function Column({ children }: { children: ReactNode }) {
  return (
    <chakra.div
      // Hidden inputs of switches lie where they stand, not on the whole document.
      position="relative"
      flex="1"
      minH="0"
      overflowY="auto"
      px={{ base: '4', sm: '6' }}
      py="5"
    >
      <chakra.div maxW="820px" display="flex" flexDirection="column" gap="6">
        {children}
      </chakra.div>
    </chakra.div>
  );
}
