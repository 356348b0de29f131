import { useQueries, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { connectionsQuery } from '@/features/connections/api';
import { templatesQuery, type Template } from '@/features/templates/api';
import { useSetting } from './api';
import { SelectRow } from './settingRows';

/** Whether a template needs nothing that only a person could give. */
const isPlain = ({ canBeSent, components }: Template) =>
  canBeSent &&
  !JSON.stringify(components).includes('{{') &&
  components.every(({ format }) => format === undefined || format === 'TEXT');

/** The template that asks for a rating outside the 24-hour window; for official numbers. */
export function RatingTemplateRow() {
  const { t } = useTranslation('settings');
  const current = useSetting('ratingTemplate');
  const connections = useQuery(connectionsQuery());
  const official = (connections.data ?? []).filter(({ provider }) => provider === 'official');
  const found = useQueries({ queries: official.map(({ id }) => templatesQuery(id)) });
  const names = new Set(
    found.flatMap(({ data }) => (data ?? []).filter(isPlain).map(({ name }) => name)),
  );
  if (official.length === 0 && !current) return null;
  // Also one that Meta's list does not have any more.
  if (current) names.add(current);
  return (
    <SelectRow
      name="ratingTemplate"
      help={t('options.ratingTemplate.help')}
      options={[
        { value: '', label: t('options.ratingTemplate.none') },
        ...[...names].sort().map((name) => ({ value: name, label: name })),
      ]}
    />
  );
}
