import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { RowProgress } from '@/components/RowProgress';
import { formatCount } from '@/lib/format';
import { DeleteDialog } from './DeleteDialog';
import type { Archive } from './types';

/** How far an archive is, and the way to stop it. */
export function WritingArchive({ archive }: { archive: Archive }) {
  const { t } = useTranslation('companyArchive');
  const [asking, setAsking] = useState(false);
  const { rowsDone, rowsTotal, filesDone } = archive;
  return (
    <chakra.section
      aria-label={t('writing')}
      display="flex"
      flexDirection="column"
      gap="3"
      px={{ base: '4', sm: '5' }}
      py="4"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
    >
      <chakra.p role="status" textStyle="md" fontWeight="semibold">
        {t('writing')}
      </chakra.p>
      <RowProgress
        label={t('writing')}
        read={Math.min(rowsDone, rowsTotal)}
        count={rowsTotal || null}
        isRunning
        words={t('rows', {
          done: formatCount(rowsDone),
          count: rowsTotal,
          shown: formatCount(rowsTotal),
        })}
      />
      {filesDone > 0 && (
        <chakra.p textStyle="sm" color="fg.muted">
          {t('files', { count: filesDone, shown: formatCount(filesDone) })}
        </chakra.p>
      )}
      <chakra.p textStyle="sm" color="fg.muted" maxW="72ch">
        {t('leave')}
      </chakra.p>
      <chakra.div>
        <Button variant="outline" onClick={() => setAsking(true)}>
          {t('stop')}
        </Button>
      </chakra.div>
      <DeleteDialog open={asking} onClose={() => setAsking(false)} isWriting />
    </chakra.section>
  );
}
