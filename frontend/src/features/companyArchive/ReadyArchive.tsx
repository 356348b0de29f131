import { chakra } from '@chakra-ui/react';
import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CountList } from '@/components/CountList';
import { Facts } from '@/components/Facts';
import { formatBytes, formatCount, formatDateTime } from '@/lib/format';
import { safeHref } from '@/lib/safeHref';
import { DeleteDialog } from './DeleteDialog';
import type { Archive } from './types';

/** A complete archive: what is in it, when it goes, and the way to download or delete it. */
export function ReadyArchive({ archive }: { archive: Archive }) {
  const { t } = useTranslation('companyArchive');
  const [asking, setAsking] = useState(false);
  const { filesDone, missingFiles } = archive;
  return (
    <chakra.section
      aria-label={t('ready')}
      display="flex"
      flexDirection="column"
      gap="4"
      px={{ base: '4', sm: '5' }}
      py="4"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
    >
      <chakra.p role="status" textStyle="md" fontWeight="semibold">
        {t('ready')}
      </chakra.p>
      <Facts
        facts={[
          { term: t('facts.made'), value: formatDateTime(archive.createdAt) },
          { term: t('facts.goes'), value: formatDateTime(archive.expiresAt ?? archive.createdAt) },
          { term: t('facts.size'), value: formatBytes(archive.size ?? 0) },
          {
            term: t('facts.files'),
            value: archive.withMedia ? formatCount(filesDone) : t('facts.none'),
          },
        ]}
      />
      {missingFiles > 0 && (
        <chakra.p textStyle="sm" color="status.waiting.fg">
          {t('missing', { count: missingFiles, shown: formatCount(missingFiles) })}
        </chakra.p>
      )}
      <chakra.div>
        <chakra.h3 textStyle="sm" fontWeight="semibold" mb="2">
          {t('contents')}
        </chakra.h3>
        <CountList
          lines={archive.contents.map(({ group, count }) => ({
            id: group,
            label: t(`groups.${group}`),
            count,
          }))}
        />
      </chakra.div>
      {archive.withPasswords && (
        <chakra.p textStyle="sm" color="fg.muted">
          {t('hasPasswords')}
        </chakra.p>
      )}
      <chakra.div display="flex" flexWrap="wrap" gap="2">
        {archive.url && (
          <Button asChild>
            <a href={safeHref(archive.url)} download>
              <Download size={16} />
              {t('download')}
            </a>
          </Button>
        )}
        <Button variant="outline" onClick={() => setAsking(true)}>
          {t('delete')}
        </Button>
      </chakra.div>
      <DeleteDialog open={asking} onClose={() => setAsking(false)} />
    </chakra.section>
  );
}
