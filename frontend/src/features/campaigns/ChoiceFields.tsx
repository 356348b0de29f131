import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Controller, type UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Field } from '@/components/Field';
import { Select, type Option } from '@/components/Select';
import { connectionsQuery } from '@/features/connections/api';
import { contactListOptionsQuery } from '@/features/contactLists/api';
import { tagsQuery } from '@/features/tags/api';
import { formatCount } from '@/lib/format';
import { useErrorText } from '@/lib/useErrorText';
import { segmentOptionsQuery } from './api';
import type { CampaignValues } from './schemas';

interface ChoiceFieldsProps {
  form: UseFormReturn<CampaignValues>;
  /** The campaign cannot be changed. */
  isLocked: boolean;
  /** The recipients were fixed at the start. */
  isFixed: boolean;
  onSegments: () => void;
}

const optionOf = ({ id, name }: { id: number; name: string }): Option => ({
  value: String(id),
  label: name,
});

/** The recipients and the connection. */
export function ChoiceFields({ form, isLocked, isFixed, onSegments }: ChoiceFieldsProps) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const lists = useQuery(contactListOptionsQuery());
  const tags = useQuery(tagsQuery());
  const segments = useQuery(segmentOptionsQuery());
  const connections = useQuery(connectionsQuery());
  const { errors } = form.formState;

  const choice = (
    name: 'contactListId' | 'tagListId' | 'segmentId' | 'connectionId',
    options: readonly Option[] | undefined,
    disabled: boolean,
  ) => (
    <Controller
      control={form.control}
      name={name}
      render={({ field }) => (
        <Select
          {...field}
          placeholder={t(`fields.none.${name}`)}
          options={options ?? []}
          disabled={disabled}
        />
      )}
    />
  );

  return (
    <>
      <chakra.div
        display="grid"
        gap="4"
        gridTemplateColumns={{ base: '1fr', sm: 'repeat(2, minmax(0, 1fr))' }}
      >
        <Field label={t('fields.contactList')} error={errorText(errors.contactListId?.message)}>
          {choice(
            'contactListId',
            lists.data?.map(({ id, name, contactsCount: count }) => ({
              value: String(id),
              label: `${name} (${formatCount(count)})`,
            })),
            isFixed,
          )}
        </Field>
        <Field label={t('fields.tagList')} error={errorText(errors.tagListId?.message)}>
          {choice('tagListId', tags.data?.map(optionOf), isFixed)}
        </Field>
        <Field
          label={t('fields.segment')}
          error={errorText(errors.segmentId?.message)}
          aside={
            !isFixed && (
              <chakra.button
                type="button"
                textStyle="sm"
                color="brand.fg"
                cursor="pointer"
                borderRadius="sm"
                onClick={onSegments}
                _hover={{ textDecoration: 'underline' }}
                _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
              >
                {t('segments.manage')}
              </chakra.button>
            )
          }
        >
          {choice('segmentId', segments.data?.map(optionOf), isFixed)}
        </Field>
        <Field label={t('fields.connection')} error={errorText(errors.connectionId?.message)}>
          {choice('connectionId', connections.data?.map(optionOf), isLocked)}
        </Field>
      </chakra.div>
      <chakra.p textStyle="xs" color="fg.muted" mt="-2">
        {t(isFixed && !isLocked ? 'fields.fixed' : 'fields.recipientsHelp')}
      </chakra.p>
    </>
  );
}
