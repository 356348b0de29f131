import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { DownloadButton } from '@/components/DownloadButton';
import type { FileKind } from './api';

interface FileButtonsProps {
  /** The name of the files, without ending. */
  name: string;
  fetchFile: (kind: FileKind) => Promise<Blob>;
}

/** Both kinds of file with what the list shows. */
export function FileButtons({ name, fetchFile }: FileButtonsProps) {
  const { t } = useTranslation('reports');
  return (
    <chakra.div display="flex" gap="2" flexWrap="wrap">
      {(['xlsx', 'csv'] as const).map((kind) => (
        <DownloadButton
          key={kind}
          label={t(`files.${kind}`)}
          fileName={`${name}.${kind}`}
          fetchFile={() => fetchFile(kind)}
        />
      ))}
    </chakra.div>
  );
}
