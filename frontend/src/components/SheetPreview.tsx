import { chakra } from '@chakra-ui/react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type SheetLayout,
  type SheetPreview as Preview,
  type SheetRow,
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
        gridTemplateColumns="repeat(auto-fill, minmax(128px, 1fr))"
      >
        {fields.map((field) => (
          <Field
            key={field.value}
            label={t(`fields.${field.value}`)}
            required={field.isRequired ?? false}
          >
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
        <Rows
          rows={data.rows}
          values={fields.filter((each) => layout[placeOf(each)] !== null).map((each) => each.value)}
          repeated={repeated}
          isBusy={isFetching}
        />
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

interface RowsProps {
  rows: readonly SheetRow[];
  /** The columns that the file has. */
  values: readonly SheetValue[];
  repeated: string;
  isBusy: boolean;
}

/** On a narrow screen a row has its values below each other, the number of the row beside them. */
const stacked = {
  '@media (max-width: 639px)': {
    '&, & tbody': { display: 'block' },
    '& thead': { display: 'none' },
    '& tr': {
      display: 'grid',
      gridTemplateColumns: '36px minmax(0, 1fr)',
      px: '3',
      py: '3',
      rowGap: '0.5',
    },
    '& tr + tr': { borderTopWidth: '1px' },
    '& tr + tr td': { borderTopWidth: '0' },
    '& td': { gridColumn: '2', p: '0', whiteSpace: 'normal' },
    '& td:first-of-type': { gridColumn: '1', gridRow: '1' },
    '& td:empty': { display: 'none' },
  },
} as const;

const widths: Partial<Record<SheetValue, { minW?: string; whiteSpace?: 'nowrap' }>> = {
  number: { whiteSpace: 'nowrap' },
  email: { minW: '44' },
};

function Rows({ rows, values, repeated, isBusy }: RowsProps) {
  const { t } = useTranslation(['sheets', 'errors']);
  const hasExtra = rows.some(({ extraInfo }) => extraInfo?.length);
  // A sheet without names has its rows named by their first value.
  const [first, ...others] = values;
  const heads = [t('row'), ...values.map((value) => t(`fields.${value}`))];
  return (
    <chakra.section aria-busy={isBusy} display="flex" flexDirection="column" gap="2">
      <chakra.h3 textStyle="sm" fontWeight="semibold">
        {t('preview')}
      </chakra.h3>
      <chakra.div
        maxH="max(320px, 40vh)"
        overflow="auto"
        borderWidth="1px"
        borderRadius="md"
        opacity={isBusy ? 0.6 : 1}
        _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg', outlineOffset: '-2px' }}
        tabIndex={0}
        role="region"
        aria-label={t('preview')}
      >
        <chakra.table
          w="full"
          textStyle="sm"
          borderCollapse="separate"
          borderSpacing="0"
          css={stacked}
        >
          <chakra.thead position="sticky" top="0" zIndex="docked">
            <tr>
              {[...heads, ...(hasExtra ? [t('extra')] : [])].map((head) => (
                <Head key={head} scope="col">
                  {head}
                </Head>
              ))}
            </tr>
          </chakra.thead>
          <tbody>
            {rows.map((row) => (
              <chakra.tr key={row.row} {...(row.errorCode && { bg: 'status.danger.subtle' })}>
                <Cell color="fg.muted">{row.row}</Cell>
                <Cell fontWeight="medium" minW="32">
                  {first && row[first]}
                  {row.errorCode && (
                    <chakra.span
                      display="block"
                      textStyle="xs"
                      fontWeight="normal"
                      color="status.danger.fg"
                    >
                      {t(`errors:${row.errorCode}`)}
                    </chakra.span>
                  )}
                  {row.isDuplicate && (
                    <chakra.span display="block" mt="1">
                      <Badge>{repeated}</Badge>
                    </chakra.span>
                  )}
                </Cell>
                {others.map((value) => (
                  <Cell key={value} {...widths[value]}>
                    {row[value]}
                  </Cell>
                ))}
                {hasExtra && (
                  <Cell color="fg.muted" minW="32">
                    {row.extraInfo?.map(({ name, value }) => (
                      <chakra.span key={name} display="block" lineClamp={2}>
                        {name}: {value}
                      </chakra.span>
                    ))}
                  </Cell>
                )}
              </chakra.tr>
            ))}
          </tbody>
        </chakra.table>
      </chakra.div>
    </chakra.section>
  );
}

const Head = chakra('th', {
  base: {
    px: '3',
    py: '2',
    textAlign: 'start',
    textStyle: 'xs',
    fontWeight: 'medium',
    color: 'fg.muted',
    bg: 'bg.surface',
    borderBottomWidth: '1px',
    whiteSpace: 'nowrap',
  },
});

const Cell = chakra('td', {
  base: {
    px: '3',
    py: '2',
    verticalAlign: 'top',
    overflowWrap: 'anywhere',
    fontVariantNumeric: 'tabular-nums',
    'tr + tr &': { borderTopWidth: '1px' },
  },
});
