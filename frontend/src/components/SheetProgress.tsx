import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { formatCount } from '@/lib/format';
import { isRunning } from '@/lib/sheets';
import { CountList } from './CountList';
import { RowProgress } from './RowProgress';

/** The counts that an import may have. */
type Count = `${'created' | 'duplicates' | 'existing' | 'filled' | 'failed'}Count`;

interface SheetProgressProps<Line extends Count> {
  shown: Record<Line, number> & {
    status: 'waiting' | 'running' | 'done' | 'failed' | 'canceled';
    fileName: string;
    rowsRead: number;
    /** null while it is unknown. */
    rowsCount: number | null;
    errorCode: string | null;
  };
  /** The results of the rows. */
  lines: readonly Line[];
}

/** The progress or the result of a sheet's import. */
export function SheetProgress<Line extends Count>({ shown, lines }: SheetProgressProps<Line>) {
  const { t } = useTranslation(['sheets', 'errors']);
  const { status, fileName, rowsRead, rowsCount, errorCode } = shown;
  const hasFailed = status === 'failed';
  return (
    <>
      <chakra.div role={hasFailed ? 'alert' : 'status'}>
        <chakra.p textStyle="md" fontWeight="semibold" overflowWrap="anywhere">
          {t(status, { name: fileName })}
        </chakra.p>
        {hasFailed && (
          <chakra.p mt="2" textStyle="sm" color="status.danger.fg">
            {t(`errors:${errorCode ?? 'ERR_IMPORT_FAILED'}`)}
          </chakra.p>
        )}
      </chakra.div>
      <RowProgress
        label={t('progress')}
        read={rowsRead}
        count={rowsCount}
        isRunning={isRunning(shown)}
        words={t('rows', {
          read: formatCount(rowsRead),
          count: rowsCount ?? 0,
          shown: formatCount(rowsCount ?? 0),
        })}
      />
      {rowsCount !== null && (
        <CountList
          lines={lines.map((line) => ({ id: line, label: t(line), count: shown[line] }))}
        />
      )}
    </>
  );
}
