import { chakra } from '@chakra-ui/react';
import { Suspense, type ComponentType, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { Splash } from '@/components/Splash';
import { Tabs } from '@/components/Tabs';
import { useCurrentUser } from '@/stores/session';
import { useSetting } from './api';
import { Hours } from './Hours';
import { RetentionTab } from './RetentionTab';
import { SettingsList } from './SettingsList';

/** A tab of another feature; its name is `settings:tabs.<value>`. */
export interface SettingsTab {
  value: string;
  /** Loaded when first shown. */
  Panel: ComponentType;
}

const OPTIONS = 'options';
const HOURS = 'hours';
const RETENTION = 'retention';

interface SettingsPageProps {
  adminTabs?: readonly SettingsTab[];
  superTabs: readonly SettingsTab[];
}

/**
 * The settings page (rules/companies §5). The tab of working hours exists if the company has its
 * own hours; the route adds tabs for every admin and for the super user. The selected tab is in the
 * URL.
 */
export function SettingsPage({ adminTabs = [], superTabs }: SettingsPageProps) {
  const { t } = useTranslation('settings');
  const [params, setParams] = useSearchParams();
  const user = useCurrentUser();
  const hasHours = useSetting('scheduleType') === 'company';
  const offered = [...adminTabs, ...(user.super ? superTabs : [])];
  const values = [
    OPTIONS,
    ...(hasHours ? [HOURS] : []),
    RETENTION,
    ...offered.map(({ value }) => value),
  ];
  const shown = values.find((value) => value === params.get('tab')) ?? OPTIONS;
  const show = (tab: string) =>
    setParams(tab === OPTIONS ? {} : { tab }, { replace: tab === OPTIONS });
  const Panel = offered.find(({ value }) => value === shown)?.Panel;

  return (
    <chakra.div flex="1" minH="0" display="flex" flexDirection="column" bg="bg.canvas">
      <chakra.div pt="2" px={{ base: '4', sm: '6' }} overflowX="auto" flexShrink="0">
        <Tabs
          aria-label={t('tabs.label')}
          value={shown}
          onChange={show}
          tabs={values.map((value) => ({ value, label: t(`tabs.${value}`) }))}
        />
      </chakra.div>
      {Panel ? (
        <Column key={shown} maxW="1120px">
          <Suspense fallback={<Splash />}>
            <Panel />
          </Suspense>
        </Column>
      ) : (
        <Column key={shown} maxW="820px">
          {shown === HOURS ? (
            <Hours />
          ) : shown === RETENTION ? (
            <RetentionTab />
          ) : (
            <SettingsList onHours={() => show(HOURS)} />
          )}
        </Column>
      )}
    </chakra.div>
  );
}

/** The scrolling column, with a maximum width for readability. */
function Column({ maxW, children }: { maxW: string; children: ReactNode }) {
  return (
    <chakra.div
      // Keeps the hidden inputs of switches inside the column; otherwise they enlarge the document.
      position="relative"
      flex="1"
      minH="0"
      overflowY="auto"
      px={{ base: '4', sm: '6' }}
      py="5"
    >
      <chakra.div maxW={maxW} display="flex" flexDirection="column" gap="6">
        {children}
      </chakra.div>
    </chakra.div>
  );
}
