import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CheckList } from '@/components/CheckList';
import { SmallError } from '@/components/Section';
import { SkeletonFields } from '@/components/States';
import { TextInput } from '@/components/TextInput';
import { connectionsQuery } from '@/features/connections/api';
import { queuesQuery } from '@/features/queues/api';
import { quickMessagesQuery } from '@/features/quickMessages/api';
import { tagsQuery } from '@/features/tags/api';
import { userOptionsQuery } from '@/features/users/api';
import { focusVisible } from '@/theme/recipes/controls';
import { foldText } from '@/lib/search';
import type { NamedKind } from './types';

interface Row {
  id: number;
  name: string;
  color?: string;
}

/** From so many rows on, they are searched. */
const MANY = 8;

/** The rows of a kind that a rule may name. */
function useRows(kind: NamedKind) {
  const queues = useQuery({ ...queuesQuery(), enabled: kind === 'queue' });
  const tags = useQuery({ ...tagsQuery(), enabled: kind === 'tag' });
  const users = useQuery({ ...userOptionsQuery(), enabled: kind === 'person' });
  const connections = useQuery({ ...connectionsQuery(), enabled: kind === 'connection' });
  const quicks = useQuery({ ...quickMessagesQuery(), enabled: kind === 'quick' });
  const query = { queue: queues, tag: tags, person: users, connection: connections, quick: quicks }[
    kind
  ];
  const rows: Record<NamedKind, () => Row[] | undefined> = {
    queue: () => queues.data?.map(({ id, name, color }) => ({ id, name, color })),
    tag: () => tags.data?.map(({ id, name, color }) => ({ id, name, color })),
    person: () => users.data?.map(({ id, name }) => ({ id, name })),
    connection: () => connections.data?.map(({ id, name }) => ({ id, name })),
    quick: () => quicks.data?.map(({ id, shortcode }) => ({ id, name: `/${shortcode}` })),
  };
  return { rows: rows[kind](), error: query.error, retry: () => void query.refetch() };
}

/** The rows whose names fit a search, and the field for it where there are many. */
function useSearched(rows: Row[] | undefined) {
  const { t } = useTranslation('rules');
  const [text, setText] = useState('');
  const found = rows?.filter(({ name }) => foldText(name).includes(foldText(text)));
  const field = rows && rows.length >= MANY && (
    <chakra.div mb="2">
      <TextInput
        size="sm"
        aria-label={t('chooser.search')}
        placeholder={t('chooser.search')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
    </chakra.div>
  );
  return { found, field };
}

interface OnePanelProps {
  kind: NamedKind;
  value: number | null;
  /** The word of no row, where that is a choice. */
  none?: string;
  onChoose: (row: { id: number | null; name: string }) => void;
}

/** One row of a kind. */
export function OnePanel({ kind, value, none, onChoose }: OnePanelProps) {
  const { t } = useTranslation('rules');
  const { rows, error, retry } = useRows(kind);
  const { found, field } = useSearched(rows);
  if (error && !rows) return <SmallError error={error} onRetry={retry} />;
  if (!found) return <SkeletonFields />;
  const options: { id: number | null; name: string }[] = [
    ...(none ? [{ id: null, name: none }] : []),
    ...found,
  ];
  return (
    <>
      {field}
      <chakra.div maxH="260px" overflowY="auto" display="flex" flexDirection="column">
        {options.map((row) => (
          <chakra.button
            key={row.id ?? 'none'}
            type="button"
            px="2"
            minH="8"
            textAlign="start"
            textStyle="sm"
            borderRadius="sm"
            cursor="pointer"
            overflowWrap="anywhere"
            _hover={{ bg: 'bg.hover' }}
            _focusVisible={focusVisible}
            aria-pressed={row.id === value}
            {...(row.id === value && { bg: 'brand.subtle', color: 'brand.fg' })}
            onClick={() => onChoose(row)}
          >
            {row.name}
          </chakra.button>
        ))}
        {options.length === 0 && (
          <chakra.p textStyle="sm" color="fg.muted" px="2">
            {t('chooser.none')}
          </chakra.p>
        )}
      </chakra.div>
    </>
  );
}

interface ManyPanelProps {
  kind: NamedKind;
  value: readonly number[];
  onChange: (ids: number[], names: ReadonlyMap<number, string>) => void;
}

/** Several rows of a kind. */
export function ManyPanel({ kind, value, onChange }: ManyPanelProps) {
  const { t } = useTranslation('rules');
  const { rows, error, retry } = useRows(kind);
  const { found, field } = useSearched(rows);
  if (error && !rows) return <SmallError error={error} onRetry={retry} />;
  return (
    <>
      {field}
      <CheckList
        options={found}
        value={value}
        onChange={(ids) => onChange(ids, new Map(rows?.map(({ id, name }) => [id, name])))}
        empty={t('chooser.none')}
      />
    </>
  );
}
