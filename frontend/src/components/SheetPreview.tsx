import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { Select } from '@/components/Select';
import { ErrorState, SkeletonRows } from '@/components/States';
import { previewQuery, type ImportPreview as Preview, type SheetLayout } from './api';

const FIELDS = [
  { place: 'nameColumn', label: 'fields.name' },
  { place: 'numberColumn', label: 'fields.number' },
  { place: 'emailColumn', label: 'fields.email' },
] as const;

interface ImportPreviewProps {
  listId: number;
  file: File;
  /** The share that was sent; null before the import. */
  share: number | null;
  onBack: () => void;
  onImport: (layout: SheetLayout) => void;
}

/** A file's columns to choose from, and its first rows as they will be kept. */
export function ImportPreview({ listId, file, share, onBack, onImport }: ImportPreviewProps) {
  const { t } = useTranslation('contactLists');
  const [chosen, setChosen] = useState<SheetLayout>();
  const { data, error, isFetching, refetch } = useQuery({
    ...previewQuery(listId, file, chosen),
    placeholderData: keepPreviousData,
  });
  if (error)
    return (
      <chakra.div display="flex" flexDirection="column" gap="4">
        <ErrorState error={error} onRetry={() => void refetch()} />
        <Button variant="outline" alignSelf="flex-start" onClick={onBack}>
          {t('import.back')}
        </Button>
      </chakra.div>
    );
  if (!data)
    return (
      <chakra.div role="status" aria-label={t('import.reading')}>
        <SkeletonRows rows={4} />
      </chakra.div>
    );
  const layout = chosen ?? data;
  const isComplete = layout.nameColumn !== null && layout.numberColumn !== null;
  const options = data.columns.map((title, place) => ({
    value: String(place),
    label: title || t('import.column', { number: place + 1 }),
  }));
  const choose = (place: (typeof FIELDS)[number]['place'], value: string) => {
    const { sheet, headerRow, nameColumn, numberColumn, emailColumn } = layout;
    setChosen({
      ...{ sheet, headerRow, nameColumn, numberColumn, emailColumn },
      [place]: value === '' ? null : Number(value),
    });
  };

  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <chakra.p textStyle="md" fontWeight="semibold" overflowWrap="anywhere">
        {file.name}
      </chakra.p>
      <chakra.div
        role="group"
        aria-label={t('import.columns')}
        display="grid"
        gap="3"
        gridTemplateColumns={{ base: '1fr', sm: 'repeat(3, minmax(0, 1fr))' }}
      >
        {FIELDS.map(({ place, label }) => (
          <Field key={place} label={t(label)} required={place !== 'emailColumn'}>
            <Select
              options={options}
              placeholder={t('import.none')}
              value={layout[place] === null ? '' : String(layout[place])}
              onChange={(event) => choose(place, event.target.value)}
            />
          </Field>
        ))}
      </chakra.div>
      {isComplete ? (
        <Rows rows={data.rows} isBusy={isFetching} />
      ) : (
        <chakra.p textStyle="sm" color="fg.muted">
          {t('import.empty')}
        </chakra.p>
      )}
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        <Button
          disabled={!isComplete || isFetching}
          loading={share !== null}
          onClick={() => onImport(layout)}
        >
          {t('import.submit')}
        </Button>
        <Button variant="outline" disabled={share !== null} onClick={onBack}>
          {t('import.back')}
        </Button>
        {share !== null && (
          <chakra.p role="status" textStyle="xs" color="fg.muted" alignSelf="center">
            {t('import.uploading', { percent: Math.round(share * 100) })}
          </chakra.p>
        )}
      </chakra.div>
    </chakra.div>
  );
}

function Rows({ rows, isBusy }: { rows: Preview['rows']; isBusy: boolean }) {
  const { t } = useTranslation('contactLists');
  return (
    <chakra.section aria-busy={isBusy}>
      <chakra.div
        maxH="320px"
        overflow="auto"
        borderWidth="1px"
        borderRadius="md"
        opacity={isBusy ? 0.6 : 1}
        tabIndex={0}
        role="region"
        aria-label={t('import.preview')}
      >
        <chakra.table w="full" textStyle="sm">
          <chakra.caption
            captionSide="top"
            textAlign="start"
            px="3"
            py="2"
            textStyle="xs"
            color="fg.muted"
          >
            {t('import.preview')}
          </chakra.caption>
          <chakra.thead>
            <chakra.tr>
              {[t('import.row'), ...FIELDS.map(({ label }) => t(label))].map((head) => (
                <chakra.th
                  key={head}
                  scope="col"
                  px="3"
                  py="1.5"
                  textAlign="start"
                  textStyle="xs"
                  color="fg.muted"
                >
                  {head}
                </chakra.th>
              ))}
            </chakra.tr>
          </chakra.thead>
          <chakra.tbody>
            {rows.map(({ row, name, number, email, errorCode, isDuplicate }) => (
              <chakra.tr key={row} borderTopWidth="1px" verticalAlign="top">
                <Cell isMuted>{row}</Cell>
                <Cell>
                  {name}
                  {errorCode && (
                    <chakra.span display="block" textStyle="xs" color="status.danger.fg">
                      {t(`import.fault.${errorCode}`)}
                    </chakra.span>
                  )}
                  {isDuplicate && (
                    <chakra.span display="block">
                      <Badge>{t('import.duplicate')}</Badge>
                    </chakra.span>
                  )}
                </Cell>
                <Cell isNumber>{number}</Cell>
                <Cell>{email}</Cell>
              </chakra.tr>
            ))}
          </chakra.tbody>
        </chakra.table>
      </chakra.div>
    </chakra.section>
  );
}

interface CellProps {
  isMuted?: boolean;
  isNumber?: boolean;
  children: React.ReactNode;
}

const Cell = ({ isMuted = false, isNumber = false, children }: CellProps) => (
  <chakra.td
    px="3"
    py="1.5"
    overflowWrap="anywhere"
    whiteSpace={isNumber ? 'nowrap' : undefined}
    fontVariantNumeric="tabular-nums"
    color={isMuted ? 'fg.muted' : undefined}
  >
    {children}
  </chakra.td>
);
