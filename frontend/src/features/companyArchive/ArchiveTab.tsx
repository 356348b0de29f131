import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { ErrorState, SkeletonFields } from '@/components/States';
import { archiveQuery } from './api';
import { ReadyArchive } from './ReadyArchive';
import { RequestForm } from './RequestForm';
import { WritingArchive } from './WritingArchive';

/** The company's archive, to move to another installation or to keep (rules/moving-out §1). */
export function ArchiveTab() {
  const { t } = useTranslation(['companyArchive', 'errors']);
  const { data, error, refetch } = useQuery(archiveQuery());
  if (error && !data)
    return <ErrorState title={t('loadFailed')} error={error} onRetry={() => void refetch()} />;
  const archive = data?.archive;
  return (
    <chakra.div maxW="820px" display="flex" flexDirection="column" gap="6">
      <chakra.div>
        <chakra.h2 textStyle="md" fontWeight="semibold">
          {t('title')}
        </chakra.h2>
        <chakra.p mt="1" textStyle="sm" color="fg.muted" maxW="72ch">
          {t('about')}
        </chakra.p>
        <chakra.p mt="2" textStyle="sm" color="fg.muted" maxW="72ch">
          {t('notInIt')}
        </chakra.p>
      </chakra.div>
      {!data && <SkeletonFields heights={['24', '9']} />}
      {archive?.state === 'writing' && <WritingArchive archive={archive} />}
      {archive?.state === 'ready' && <ReadyArchive archive={archive} />}
      {archive?.state === 'failed' && (
        <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
          {t(`errors:${archive.errorCode || 'ERR_ARCHIVE_FAILED'}`)}
        </chakra.p>
      )}
      {data && archive?.state !== 'writing' && (
        <RequestForm replaces={archive?.state === 'ready'} />
      )}
    </chakra.div>
  );
}
