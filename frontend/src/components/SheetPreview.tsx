import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type SheetLayout,
  type SheetPreview as Preview,
  type SheetValue,
  type sheetPreviewQuery,
} from '@/lib/sheets';
import { Badge } from './Badge';
import { Button } from './Button';
import { Field } from './Field';
import { Select } from './Select';
import { ErrorState, SkeletonRows } from './States';

/** A column that an import reads. */
export interface SheetField {
  value: SheetValue;
  label: string;
  isRequired?: boolean;
}

export interface SheetPreviewProps {
  file: File;
  fields: readonly SheetField[];
  /** Whether the chosen columns are enough, and the words if they are not. */
  isComplete: (layout: SheetLayout) => boolean;
  incomplete: string;
  /** Marks a row whose person is there already. */
  repeated: string;
  query: (file: File, layout: SheetLayout | undefined) => ReturnType<typeof sheetPreviewQuery>;
  /** The share that was sent; null before the import. */
  share: number | null;
  onBack: () => void;
  onImport: (layout: SheetLayout) => void;
}

const placeOf = ({ value }: SheetField) => `${value}Column` as const;

/** A sheet's columns to choose from, and its first rows as they will be kept. */
export function SheetPreview(props: SheetPreviewProps) {
  const { file, fields, isComplete, incomplete, repeated, query, share, onBack, onImport } = props;
  const { t } = useTranslation('sheets');
  const [chosen, setChosen] = useState<SheetLayout>();
  const { data, error, isFetching, refetch } = useQuery({
    ...query(file, chosen),
    placeholderData: keepPreviousData,
  });
  if (error)
    return (
      <chakra.div display="flex" flexDirection="column" gap="4">
        <ErrorState error={error} onRetry={() => void refetch()} />
        <Button variant="outline" alignSelf="flex-start" onClick={onBack}>
          {t('back')}
        </Button>
      </chakra.div>
    );
  if (!data)
    return (
      <chakra.div role="status" aria-label={t('reading')}>
        <SkeletonRows rows={4} />
      </chakra.div>
    );
  const layout = chosen ?? guessedLayout(data, fields);
  const isEnough = isComplete(layout);
  const options = data.columns.map((title, place) => ({
    value: String(place),
    label: title || t('column', { number: place + 1 }),
  }));

  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <chakra.p textStyle="md" fontWeight="semibold" overflowWrap="anywhere">
        {file.name}
      </chakra.p>
      <chakra.div
        role="group"
        aria-label={t('columns')}
        display="grid"
        gap="3"
        gridTemplateColumns={{ base: '1fr', sm: 'repeat(3, minmax(0, 1fr))' }}
      >
        {fields.map((field) => (
          <Field key={field.value} label={field.label} required={field.isRequired ?? false}>
            <Select
              options={options}
              placeholder={t('none')}
              value={String(layout[placeOf(field)] ?? '')}
              onChange={({ target: { value } }) =>
                setChosen({ ...layout, [placeOf(field)]: value === '' ? null : Number(value) })
              }
            />
          </Field>
        ))}
      </chakra.div>
      {isEnough ? (
        <Rows rows={data.rows} fields={fields} repeated={repeated} isBusy={isFetching} />
      ) : (
        <chakra.p textStyle="sm" color="fg.muted">
          {incomplete}
        </chakra.p>
      )}
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        <Button
          disabled={!isEnough || isFetching}
          loading={share !== null}
          onClick={() => onImport(layout)}
        >
          {t('submit')}
        </Button>
        <Button variant="outline" disabled={share !== null} onClick={onBack}>
          {t('back')}
        </Button>
        {share !== null && (
          <chakra.p role="status" textStyle="xs" color="fg.muted" alignSelf="center">
            {t('uploading', { percent: Math.round(share * 100) })}
          </chakra.p>
        )}
      </chakra.div>
    </chakra.div>
  );
}

function guessedLayout(data: Preview, fields: readonly SheetField[]): SheetLayout {
  const layout: SheetLayout = { sheet: data.sheet, headerRow: data.headerRow };
  for (const place of fields.map(placeOf)) layout[place] = data[place] ?? null;
  return layout;
}

interface RowsProps extends Pick<SheetPreviewProps, 'fields' | 'repeated'> {
  rows: Preview['rows'];
  isBusy: boolean;
}

function Rows({ rows, fields, repeated, isBusy }: RowsProps) {
  const { t } = useTranslation('sheets');
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
        aria-label={t('preview')}
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
            {t('preview')}
          </chakra.caption>
          <chakra.thead>
            <chakra.tr>
              {[t('row'), ...fields.map(({ label }) => label)].map((head) => (
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
                      {t(`fault.${errorCode}`)}
                    </chakra.span>
                  )}
                  {isDuplicate && (
                    <chakra.span display="block">
                      <Badge>{repeated}</Badge>
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
