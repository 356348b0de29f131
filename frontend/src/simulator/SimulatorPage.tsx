import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Moon, MonitorSmartphone, Sun } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { Logo } from '@/components/Logo';
import { Select } from '@/components/Select';
import { ErrorState } from '@/components/States';
import { chooseLanguage, currentLanguage, LANGUAGES, type Language } from '@/i18n';
import { currentColourMode, storeColourMode } from '@/theme/colourMode';
import { stateQuery } from './api';
import { CustomerList } from './CustomerList';
import { FaultPanel } from './FaultPanel';
import { Phone } from './Phone';

const DevicesDialog = lazy(() =>
  import('./DevicesDialog').then((file) => ({ default: file.DevicesDialog })),
);

type Pane = 'customers' | 'phone' | 'faults';

const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));

/** The page where the user plays customers. The URL contains the number and the customer. */
export function SimulatorPage() {
  const { t } = useTranslation('simulator');
  const [search] = useState(() => new URLSearchParams(location.search));
  const [number, setNumber] = useState(search.get('number') ?? '');
  const [customer, setCustomer] = useState(search.get('customer') ?? '');
  const [pane, setPane] = useState<Pane>(customer ? 'phone' : 'customers');
  const [mode, setMode] = useState(currentColourMode);
  const [linking, setLinking] = useState(false);
  const state = useQuery(stateQuery(number, customer));
  const data = state.data;
  const shownNumber = number || (data?.numbers[0]?.id ?? '');
  const shownCustomer = data?.customers.find(({ waId }) => waId === customer) ?? null;

  useEffect(() => {
    document.title = `${t('title')} · Balcão`;
  }, [t]);
  useEffect(() => {
    if (!shownNumber) return;
    const query = new URLSearchParams({ number: shownNumber, ...(customer && { customer }) });
    history.replaceState(null, '', `?${query.toString()}`);
  }, [shownNumber, customer]);

  const choose = (waId: string) => {
    setCustomer(waId);
    setPane('phone');
  };
  const changeMode = () => {
    const next = mode === 'dark' ? 'light' : 'dark';
    storeColourMode(next);
    setMode(next);
  };
  return (
    <chakra.div display="flex" flexDirection="column" h="100dvh" bg="bg.canvas">
      <chakra.header
        display="flex"
        alignItems="center"
        gap="3"
        minH="topBar"
        px="4"
        bg="bg.surface"
        borderBottomWidth="1px"
      >
        <Logo size={28} />
        <chakra.h1 fontSize={{ base: 'md', sm: 'lg' }} fontWeight="semibold" truncate>
          {t('title')}
        </chakra.h1>
        <chakra.span flex="1" />
        <chakra.div w={{ sm: '44', md: '60' }} display={{ base: 'none', sm: 'block' }}>
          <Select
            size="sm"
            aria-label={t('number')}
            value={shownNumber}
            onChange={(event) => setNumber(event.target.value)}
            options={(data?.numbers ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        </chakra.div>
        {data?.devices && (
          <IconButton
            label={t('devices.title')}
            icon={<MonitorSmartphone size={20} />}
            onClick={() => setLinking(true)}
          />
        )}
        <chakra.div w={{ base: '28', sm: '32' }} flexShrink="0">
          <Select
            size="sm"
            aria-label={t('language')}
            value={currentLanguage()}
            onChange={(event) => void chooseLanguage(event.target.value as Language)}
            options={languages}
          />
        </chakra.div>
        <IconButton
          label={t(mode === 'dark' ? 'light' : 'dark')}
          icon={mode === 'dark' ? <Sun size={20} /> : <Moon size={20} />}
          onClick={changeMode}
        />
      </chakra.header>
      <chakra.nav
        display={{ base: 'flex', md: 'none' }}
        bg="bg.surface"
        borderBottomWidth="1px"
        aria-label={t('title')}
      >
        <PaneButton active={pane === 'customers'} onClick={() => setPane('customers')}>
          {t('customers')}
        </PaneButton>
        <PaneButton active={pane === 'phone'} onClick={() => setPane('phone')}>
          {t('phone')}
        </PaneButton>
        <PaneButton active={pane === 'faults'} onClick={() => setPane('faults')}>
          {t('faults.title')}
        </PaneButton>
      </chakra.nav>
      {(data?.numbers.length ?? 0) > 1 && (
        <chakra.section
          display={{ base: 'block', sm: 'none' }}
          px="4"
          py="2"
          bg="bg.surface"
          aria-label={t('number')}
        >
          <Select
            size="sm"
            aria-label={t('number')}
            value={shownNumber}
            onChange={(event) => setNumber(event.target.value)}
            options={(data?.numbers ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          />
        </chakra.section>
      )}
      {state.isError && !data ? (
        <ErrorState error={state.error} onRetry={() => void state.refetch()} />
      ) : (
        <chakra.main display="flex" flex="1" minH="0">
          <Side shown={pane === 'customers'} edge="right">
            <CustomerList
              customers={data?.customers}
              number={shownNumber}
              selected={customer}
              onSelect={choose}
            />
          </Side>
          <chakra.div
            flex="1"
            minW="0"
            display={{ base: pane === 'phone' ? 'flex' : 'none', md: 'flex' }}
            justifyContent="center"
            p={{ base: '0', md: '4' }}
          >
            <Phone
              key={`${shownNumber} ${customer}`}
              number={data?.numbers.find(({ id }) => id === shownNumber) ?? null}
              customer={shownCustomer}
              chat={data?.chat?.customer === customer ? data.chat : null}
            />
          </chakra.div>
          <Side shown={pane === 'faults'} edge="left">
            <FaultPanel
              faults={data?.faults ?? []}
              outbox={data?.outbox}
              portfolio={data?.portfolio ?? null}
              bill={data?.bill ?? null}
              customer={shownCustomer}
              isElsewhere={data?.chat?.customer === customer && data.chat.isElsewhere}
              number={data?.numbers.find(({ id }) => id === shownNumber)}
            />
          </Side>
        </chakra.main>
      )}
      {linking && data?.devices && (
        <Suspense fallback={null}>
          <DevicesDialog
            devices={data.devices}
            numbers={data.numbers}
            onLinked={setNumber}
            onClose={() => setLinking(false)}
          />
        </Suspense>
      )}
    </chakra.div>
  );
}

function Side(props: { shown: boolean; edge: 'left' | 'right'; children: React.ReactNode }) {
  return (
    <chakra.aside
      display={{ base: props.shown ? 'flex' : 'none', md: 'flex' }}
      flexDirection="column"
      w={{ base: 'full', md: '280px', lg: '320px' }}
      flexShrink="0"
      minH="0"
      bg="bg.surface"
      {...(props.edge === 'right' ? { borderEndWidth: '1px' } : { borderStartWidth: '1px' })}
    >
      {props.children}
    </chakra.aside>
  );
}

function PaneButton(props: { active: boolean; onClick: () => void; children: React.ReactNode }) {
  return (
    <chakra.button
      type="button"
      aria-pressed={props.active}
      onClick={props.onClick}
      flex="1"
      h="11"
      fontWeight="medium"
      color={props.active ? 'brand.fg' : 'fg.muted'}
      borderBottomWidth="2px"
      borderColor={props.active ? 'brand.solid' : 'transparent'}
    >
      {props.children}
    </chakra.button>
  );
}
