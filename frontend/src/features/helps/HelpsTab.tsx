import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { CircleQuestionMark } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { Column } from '@/components/DataTable';
import { Field } from '@/components/Field';
import { DeleteRecord, FieldGrid, RecordForm } from '@/components/RecordForm';
import { RecordTable } from '@/components/RecordTable';
import { SearchInput } from '@/components/SearchInput';
import { TextArea, TextInput } from '@/components/TextInput';
import { useErrorText } from '@/lib/useErrorText';
import { useRecordForm } from '@/lib/useRecordForm';
import { useRecords } from '@/lib/useRecords';
import { helpPagesQuery, useDeleteHelp, useSaveHelp } from './api';
import { useHelpEvents } from './events';
import { providerOf } from './player';
import { helpSchema, helpValues, type HelpForm } from './schemas';
import type { Help } from './types';

/** Ajuda, of the super user's settings: a form above the table (rules/announcements §5). */
export function HelpsTab() {
  const { t } = useTranslation(['helps', 'common']);
  const errorText = useErrorText();
  const records = useRecords(helpPagesQuery);
  useHelpEvents();
  const editor = useRecordForm({
    resolver: zodResolver(helpSchema),
    valuesOf: helpValues,
    first: 'title',
    save: useSaveHelp(),
    fieldsOf: (values: HelpForm) => values,
    failed: t('failed'),
  });
  const remove = useDeleteHelp();
  const { form, stored } = editor;
  const { errors } = form.formState;

  return (
    <>
      <RecordForm
        title={stored ? t('editing', { name: stored.title }) : t('adding')}
        editor={editor}
        deletion={
          stored && (
            <DeleteRecord
              id={stored.id}
              name={stored.title}
              remove={remove}
              onDeleted={editor.clear}
            />
          )
        }
      >
        <FieldGrid>
          <Field label={t('fields.title')} error={errorText(errors.title?.message)} required>
            <TextInput autoComplete="off" {...form.register('title')} />
          </Field>
          <Field
            label={t('fields.video')}
            help={t('fields.videoHelp')}
            error={errorText(errors.video?.message)}
            required
          >
            <TextInput autoComplete="off" {...form.register('video')} />
          </Field>
        </FieldGrid>
        <Field label={t('fields.description')} error={errorText(errors.description?.message)}>
          <TextArea rows={3} {...form.register('description')} />
        </Field>
      </RecordForm>
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.div maxW="360px">
          <SearchInput label={t('search')} {...records.searching} />
        </chakra.div>
        <RecordTable
          grows
          records={{ ...records, edit: editor.load }}
          label={t('label')}
          columns={useColumns()}
          isCurrent={({ id }) => id === stored?.id}
          empty={{
            icon: <CircleQuestionMark size={20} />,
            title: t('empty.title'),
            text: t('empty.textForSuper'),
            search: t('empty.search', { text: records.search }),
          }}
          actions={({ title: name }) => ({ name, edit: t('editOne', { name }), remove: false })}
        />
      </chakra.div>
    </>
  );
}

function useColumns(): Column<Help>[] {
  const { t } = useTranslation('helps');
  return [
    {
      id: 'title',
      header: t('fields.title'),
      primary: true,
      width: '34%',
      cell: ({ title }) => (
        <chakra.span fontWeight="semibold" lineClamp="2" title={title}>
          {title}
        </chakra.span>
      ),
    },
    {
      id: 'description',
      header: t('fields.description'),
      cell: ({ description }) =>
        description ? (
          <chakra.span lineClamp="2" title={description}>
            {description}
          </chakra.span>
        ) : (
          <chakra.span color="fg.muted">–</chakra.span>
        ),
    },
    {
      id: 'video',
      header: t('fields.video'),
      narrow: 'line',
      cell: ({ video }) => (
        <>
          {t(`provider.${providerOf(video)}`)} <chakra.span color="fg.muted">{video}</chakra.span>
        </>
      ),
    },
  ];
}
