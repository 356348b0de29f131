import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { MessageField, NumberField, Pair, QueueField, Section } from './fields';
import type { Form } from './form';

/** The settings of timed actions. */
export function TimersSection({ form }: { form: Form }) {
  const { t } = useTranslation('connections');
  return (
    <chakra.div display="flex" flexDirection="column" gap="5">
      <Section title={t('timers.transfer')} text={t('timers.transferText')}>
        <Pair>
          <NumberField
            form={form}
            name="timeToTransfer"
            label={t('fields.timeToTransfer')}
            help={t('fields.zeroIsOff')}
            unit={t('units.minutes')}
          />
          <QueueField
            form={form}
            name="transferQueueId"
            label={t('fields.transferQueue')}
            help={t('fields.transferQueueHelp')}
          />
        </Pair>
      </Section>
      <Section title={t('timers.expiry')} text={t('timers.expiryText')}>
        <NumberField
          form={form}
          name="expiresTicket"
          label={t('fields.expires')}
          help={t('fields.zeroIsOff')}
          unit={t('units.minutes')}
        />
        <MessageField
          form={form}
          name="expiresInactiveMessage"
          label={t('fields.inactive')}
          help={t('fields.inactiveHelp')}
        />
      </Section>
    </chakra.div>
  );
}
