import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { CircleQuestionMark } from 'lucide-react';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { DataTable, type Column } from '@/components/DataTable';
import { Field } from '@/components/Field';
import { DeleteRecord, FieldGrid, RecordForm } from '@/components/RecordForm';
import { RowActions } from '@/components/RowActions';
import { SearchInput } from '@/components/SearchInput';
import { EmptyState } from '@/components/States';
import { TextArea, TextInput } from '@/components/TextInput';
import { showRefusal } from '@/lib/forms';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { useRecordForm } from '@/lib/useRecordForm';
import { helpPagesQuery, useDeleteHelp, useSaveHelp } from './api';
import { useHelpEvents } from './events';
import { providerOf } from './player';
import { helpSchema, helpValues, type HelpForm } from './schemas';
import type { Help } from './types';

/** Ajuda, of the super user's settings: a form above the table (rules/announcements §5). */
export function HelpsTab() {
  const { t } = useTranslation(['helps', 'common']);
  const errorText = useErrorText();
  const [search, setSearch] = useState('');
  const list = useInfiniteQuery({ ...helpPagesQuery(search), placeholderData: keepPreviousData });
  useHelpEvents();
  const form = useForm<HelpForm>({
    resolver: zodResolver(helpSchema),
    defaultValues: helpValues(null),
  });
  const editor = useRecordForm<Help, HelpForm>({ form, valuesOf: helpValues, first: 'title' });
  const save = useSaveHelp();
  const remove = useDeleteHelp();
  const { stored } = editor;
  const { errors } = form.formState;

  const submit = form.handleSubmit(async (fields) => {
    try {
      await save.mutateAsync({ id: stored?.id, fields });
      toast.success(t('common:record.done'));
      editor.show(null);
    } catch (error) {
      showRefusal(form, error, t('failed'));
    }
  });

  return (
    <>
      <RecordForm
        title={stored ? t('editing', { name: stored.title }) : t('adding')}
        busy={save.isPending}
        onSubmit={() => void submit()}
        onClear={() => editor.load(null)}
        asking={editor.asking}
        onAnswer={editor.answer}
        deletion={
          stored && (
            <DeleteRecord
              id={stored.id}
              name={stored.title}
              remove={remove}
              onDeleted={() => editor.show(null)}
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
          <SearchInput label={t('search')} value={search} onSearch={setSearch} />
        </chakra.div>
        <DataTable
          grows
          label={t('label')}
          columns={useColumns()}
          rows={list.data?.rows}
          query={list}
          onRowClick={editor.load}
          isCurrent={({ id }) => id === stored?.id}
          empty={
            <EmptyState
              icon={<CircleQuestionMark size={20} />}
              title={search ? t('empty.search', { text: search }) : t('empty.title')}
              {...(!search && { text: t('empty.textForSuper') })}
            />
          }
          actions={(help) => (
            <RowActions
              name={help.title}
              editLabel={t('editOne', { name: help.title })}
              onEdit={() => editor.load(help)}
              deleteLabel=""
              onDelete={false}
            />
          )}
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
