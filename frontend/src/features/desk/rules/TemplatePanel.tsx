import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SmallError } from '@/components/Section';
import { Select } from '@/components/Select';
import { SkeletonFields } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { connectionsQuery } from '@/features/connections/api';
import { templatesQuery, type Template } from '@/features/templates/api';
import { mediaOf, slotsOf } from '@/lib/templates/filling';
import type { Action } from './types';

/** A template that is sent as it is, with texts for the fields of its body at most. */
const isPlain = (template: Template) =>
  template.canBeSent &&
  template.parameter_format !== 'NAMED' &&
  mediaOf(template) === null &&
  slotsOf(template).every(({ place }) => place === 'body');

interface TemplatePanelProps {
  action: Action;
  onChange: (action: Action) => void;
}

/** An approved template of one of the official connections, and the texts of its fields. */
export function TemplatePanel({ action, onChange }: TemplatePanelProps) {
  const { t } = useTranslation('rules');
  const connections = useQuery(connectionsQuery());
  const official = connections.data?.filter(({ provider }) => provider === 'official');
  const [chosen, setChosen] = useState<number | null>(null);
  const connectionId = chosen ?? official?.[0]?.id ?? 0;
  const list = useQuery({ ...templatesQuery(connectionId), enabled: connectionId > 0 });
  const templates = (list.data ?? []).filter(isPlain);
  const current = templates.find(
    ({ name, language }) => name === action.name && language === action.language,
  );
  const values = action.values ?? [];
  const error = connections.error ?? list.error;
  if (error) return <SmallError error={error} onRetry={() => void list.refetch()} />;
  if (!official || (connectionId > 0 && !list.data)) return <SkeletonFields />;
  if (templates.length === 0 && official.length < 2)
    return (
      <chakra.p textStyle="sm" color="fg.muted">
        {t('chooser.noTemplates')}
      </chakra.p>
    );
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      {official.length > 1 && (
        <Select
          size="sm"
          aria-label={t('chooser.connection')}
          options={official.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={String(connectionId)}
          onChange={(event) => setChosen(Number(event.target.value))}
        />
      )}
      <Select
        size="sm"
        aria-label={t('choose.template')}
        placeholder={t('choose.template')}
        options={templates.map(({ id, name, language }) => ({
          value: id,
          label: `${name} (${language})`,
        }))}
        value={current?.id ?? ''}
        onChange={(event) => {
          const template = templates.find(({ id }) => id === event.target.value);
          if (template)
            onChange({
              do: action.do,
              name: template.name,
              language: template.language,
              values: slotsOf(template).map(() => ''),
            });
        }}
      />
      {current &&
        slotsOf(current).map((slot, index) => (
          <TextInput
            key={slot.field}
            size="sm"
            maxLength={1024}
            aria-label={t('chooser.valueOf', { number: index + 1 })}
            placeholder={slot.example || t('chooser.valueOf', { number: index + 1 })}
            value={values[index] ?? ''}
            onChange={(event) =>
              onChange({
                ...action,
                values: slotsOf(current).map((_, place) =>
                  place === index ? event.target.value : (values[place] ?? ''),
                ),
              })
            }
          />
        ))}
    </chakra.div>
  );
}
