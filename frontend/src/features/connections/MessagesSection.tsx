import { chakra } from '@chakra-ui/react';
import { useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { MessageField } from './fields';
import type { Form } from './form';

/** The automatic messages of the number. */
export function MessagesSection({ form }: { form: Form }) {
  const { t } = useTranslation('connections');
  const hasMenu = useWatch({ control: form.control, name: 'queueIds' }).length > 1;
  return (
    <chakra.div display="flex" flexDirection="column" gap="5">
      <MessageField
        form={form}
        name="greetingMessage"
        label={t('fields.greeting')}
        help={hasMenu ? t('fields.greetingMenuHelp') : t('fields.greetingHelp')}
        required={hasMenu}
      />
      <MessageField
        form={form}
        name="completionMessage"
        label={t('fields.completion')}
        help={t('fields.completionHelp')}
      />
      <MessageField
        form={form}
        name="ratingMessage"
        label={t('fields.rating')}
        help={t('fields.ratingHelp')}
      />
      <MessageField
        form={form}
        name="outOfHoursMessage"
        label={t('fields.outOfHours')}
        help={t('fields.outOfHoursHelp')}
      />
    </chakra.div>
  );
}
