import { chakra } from '@chakra-ui/react';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { RadioCards } from '@/components/RadioCards';
import { Select, type Option } from '@/components/Select';
import { Switch } from '@/components/Toggle';
import { formatCount } from '@/lib/format';
import { clockIn } from '@/lib/variables';
import { useSetting } from './api';
import { countryChoices } from './countries';
import { MenuPreview } from './MenuPreview';
import { SettingRow } from './SettingRow';
import type { SettingKey } from './types';
import { useEditedSetting } from './useEditedSetting';
import { zonesAt } from './zones';

interface SwitchRowProps {
  name: SettingKey;
  /** A sample of the text that contacts get while the setting is enabled. */
  example?: string;
}

/** A setting with the values 'enabled' and 'disabled'. */
export function SwitchRow({ name, example }: SwitchRowProps) {
  const { t } = useTranslation('settings');
  const setting = useEditedSetting(name);
  const isOn = setting.value === 'enabled';
  const label = t(`options.${name}.label`);
  return (
    <SettingRow
      setting={setting}
      label={label}
      help={t(`options.${name}.help`)}
      after={isOn && example && <Example text={example} />}
    >
      {({ id, helpId }) => (
        <Switch
          id={id}
          aria-label={label}
          aria-describedby={helpId}
          checked={isOn}
          onChange={(on) => setting.save(on ? 'enabled' : 'disabled')}
        />
      )}
    </SettingRow>
  );
}

/** A sample text for contacts, Portuguese in every language. */
function Example({ text }: { text: string }) {
  const { t } = useTranslation('settings');
  return (
    <chakra.div mt="2.5" display="flex" flexDirection="column" alignItems="flex-start" gap="1">
      <chakra.span textStyle="xs" color="fg.muted">
        {t('example')}
      </chakra.span>
      <chakra.div
        lang="pt-BR"
        px="3"
        py="1.5"
        maxW="full"
        borderWidth="1px"
        borderColor="bubble.out.border"
        borderRadius="lg"
        borderTopStartRadius="xs"
        bg="bubble.out"
        textStyle="sm"
        whiteSpace="pre-wrap"
      >
        {text}
      </chakra.div>
    </chakra.div>
  );
}

interface ChoiceRowProps<Value> {
  name: SettingKey;
  values: readonly Value[];
  preview?: (value: Value) => ReactNode;
  after?: (value: string) => ReactNode;
}

/** A setting with a few values, named by `options.<name>.<value>` and explained by `…Help`. */
function ChoiceRow<Value extends string>({ name, values, preview, after }: ChoiceRowProps<Value>) {
  const { t } = useTranslation('settings');
  const setting = useEditedSetting(name);
  return (
    <SettingRow
      wide
      setting={setting}
      label={t(`options.${name}.label`)}
      help={t(`options.${name}.help`)}
      after={after?.(setting.value)}
    >
      {({ id, labelId, helpId }) => (
        <RadioCards
          name={id}
          labelledBy={labelId}
          describedBy={helpId}
          value={setting.value}
          onChange={setting.save}
          choices={values.map((value) => ({
            value,
            label: t(`options.${name}.${value}`),
            help: t(`options.${name}.${value}Help`),
            preview: preview?.(value),
          }))}
        />
      )}
    </SettingRow>
  );
}

/** The form of the bot's menu. */
export const MenuTypeRow = () => (
  <ChoiceRow
    name="chatBotType"
    values={['text', 'button', 'list']}
    preview={(type) => <MenuPreview type={type} />}
  />
);

/** The order of the waiting list. */
export const WaitingOrderRow = () => (
  <ChoiceRow name="waitingListOrder" values={['longest_waiting', 'updated']} />
);

/** The scope of the working hours; `after` renders a link to their editor. */
export const ScheduleTypeRow = ({ after }: { after: (type: string) => ReactNode }) => (
  <ChoiceRow name="scheduleType" values={['disabled', 'queue', 'company']} after={after} />
);

interface SelectRowProps {
  name: SettingKey;
  options: readonly Option[];
  help: ReactNode;
}

/** A setting that is one of several values. */
export function SelectRow({ name, options, help }: SelectRowProps) {
  const { t } = useTranslation('settings');
  const setting = useEditedSetting(name);
  return (
    <SettingRow setting={setting} label={t(`options.${name}.label`)} help={help}>
      {({ id, helpId }) => (
        <chakra.div w={{ base: 'full', sm: '248px' }} flexShrink="0">
          <Select
            id={id}
            aria-describedby={helpId}
            options={options}
            value={setting.value}
            onChange={(event) => setting.save(event.target.value)}
          />
        </chakra.div>
      )}
    </SettingRow>
  );
}

/** The offered periods in minutes for reopening a closed conversation; 0 means never. */
const WINDOWS = [0, 15, 30, 60, 120, 240, 480, 720, 1440, 2880, 4320, 10080];

/** The time after closing within which a contact's message reopens the conversation. */
export function ReopenRow({ current }: { current: string }) {
  const { t } = useTranslation('settings');
  const minutes = Number(current);
  const offered = WINDOWS.includes(minutes) ? WINDOWS : [...WINDOWS, minutes].sort((a, b) => a - b);
  const words = (value: number) => {
    if (value === 0) return t('span.never');
    const [unit, count] =
      value % 1440 === 0
        ? (['days', value / 1440] as const)
        : value % 60 === 0
          ? (['hours', value / 60] as const)
          : (['minutes', value] as const);
    return t(`span.${unit}`, { count, formatted: formatCount(count) });
  };
  return (
    <SelectRow
      name="reopenWindowMinutes"
      help={t('options.reopenWindowMinutes.help')}
      options={offered.map((value) => ({ value: String(value), label: words(value) }))}
    />
  );
}

/** The offered days within which nobody is asked for a rating again; 0 asks each time. */
const RATING_DAYS = [0, 1, 7, 15, 30, 60, 90, 180, 365];

export function RatingDaysRow() {
  const { t } = useTranslation('settings');
  const days = Number(useSetting('ratingEveryDays') || '0');
  const offered = RATING_DAYS.includes(days)
    ? RATING_DAYS
    : [...RATING_DAYS, days].sort((a, b) => a - b);
  return (
    <SelectRow
      name="ratingEveryDays"
      help={t('options.ratingEveryDays.help')}
      options={offered.map((value) => ({
        value: String(value),
        label: value
          ? t('span.days', { count: value, formatted: formatCount(value) })
          : t('options.ratingEveryDays.always'),
      }))}
    />
  );
}

/** The company's time zone. */
export function ZoneRow({ current }: { current: string }) {
  const { t } = useTranslation('settings');
  const [now] = useState(() => new Date());
  const options = useMemo((): Option[] => {
    const { brazil, world } = zonesAt(now, current);
    return [...brazil, { value: '-', label: t('otherZones'), disabled: true }, ...world];
  }, [now, current, t]);
  return (
    <SelectRow
      name="timeZone"
      help={t('options.timeZone.help', { time: clockIn(now, current) })}
      options={options}
    />
  );
}

/** The country of numbers that are typed without a country code. */
export function CountryRow({ current }: { current: string }) {
  const { t, i18n } = useTranslation('settings');
  const options = useMemo(() => countryChoices(i18n.language, current), [i18n.language, current]);
  return <SelectRow name="country" help={t('options.country.help')} options={options} />;
}
