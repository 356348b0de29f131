import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { newContactsQuery } from './api';
import { NumberField, Pair, Section } from './fields';
import type { Form } from './form';
import type { Connection } from './types';

interface PaceSectionProps {
  form: Form;
  connection: Connection | undefined;
}

/** How fast a number sends, so that it is not blocked (rules/connections §10). */
export function PaceSection({ form, connection }: PaceSectionProps) {
  const { t } = useTranslation('connections');
  const provider = useWatch({ control: form.control, name: 'provider' });
  if (provider === 'official')
    return (
      <Section title={t('pace.title')} text={t('pace.officialText')}>
        <NumberField
          form={form}
          name="sendsPerSecond"
          label={t('fields.perSecond')}
          help={t('fields.perSecondHelp')}
          unit={t('units.perSecond')}
        />
      </Section>
    );
  return (
    <chakra.div display="flex" flexDirection="column" gap="5">
      <Section title={t('pace.title')} text={t('pace.qrText')}>
        <Pair>
          <NumberField
            form={form}
            name="sendPauseSeconds"
            label={t('fields.pause')}
            help={t('fields.pauseHelp')}
            unit={t('units.seconds')}
          />
          <NumberField
            form={form}
            name="sendJitterSeconds"
            label={t('fields.jitter')}
            help={t('fields.jitterHelp')}
            unit={t('units.seconds')}
          />
        </Pair>
      </Section>
      <Section title={t('pace.warmup')} text={t('pace.warmupText')}>
        {connection && <Today connection={connection} />}
        <Pair>
          <NumberField
            form={form}
            name="warmupContacts"
            label={t('fields.warmupContacts')}
            help={t('fields.warmupContactsHelp')}
            unit={t('units.contacts')}
          />
          <NumberField
            form={form}
            name="warmupGrowth"
            label={t('fields.warmupGrowth')}
            help={t('fields.warmupGrowthHelp')}
            unit={t('units.contacts')}
          />
        </Pair>
        <NumberField
          form={form}
          name="warmupDays"
          label={t('fields.warmupDays')}
          help={t('fields.warmupDaysHelp')}
          unit={t('units.days')}
        />
      </Section>
    </chakra.div>
  );
}

/** The used part of the daily limit, which the page's list does not update. */
function Today({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections');
  const { data = connection } = useQuery(newContactsQuery(connection.id));
  const ceiling = data.newContactsCeiling;
  if (ceiling === null) return null;
  return (
    <chakra.p textStyle="sm" fontWeight="medium" fontVariantNumeric="tabular-nums">
      {t('pace.today', { begun: data.newContactsToday, ceiling, count: ceiling })}
    </chakra.p>
  );
}
