import { chakra } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { DownloadButton } from '@/components/DownloadButton';
import { SheetImport } from '@/components/SheetImport';
import { SheetProgress } from '@/components/SheetProgress';
import { ErrorState, SkeletonRows } from '@/components/States';
import { formatDateTime } from '@/lib/format';
import { may } from '@/lib/permissions';
import { isRunning } from '@/lib/sheets';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import {
  contactImportQuery,
  fetchImportFaults,
  filePreviewQuery,
  uploadContacts,
  useCancelImport,
} from './api';
import exampleSheet from './modelo-contatos.xlsx?url';
import type { ContactImport } from './types';

const EXAMPLE_NAME = 'modelo-contatos.xlsx';
const FAULTS_NAME = 'import-errors.csv';
const FIELDS = [
  { value: 'name' },
  { value: 'number' },
  { value: 'email' },
  { value: 'username' },
  { value: 'userId' },
] as const;
const LINES = ['createdCount', 'existingCount', 'filledCount', 'failedCount'] as const;

/**
 * Imports a file of contacts and shows progress and result; the import continues if the dialog is
 * closed.
 */
export function FileImportDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['contacts', 'common']);
  const client = useQueryClient();
  const { data: newest, isPending, error, refetch } = useQuery(contactImportQuery());
  const [followed, setFollowed] = useState<number | null>(null);
  const [file, setFile] = useState<File>();
  // A running import is also shown after the dialog is opened again, until its end.
  if (newest && isRunning(newest) && followed !== newest.id) setFollowed(newest.id);

  return (
    <Dialog
      open
      size={file ? 'lg' : 'sm'}
      onClose={onClose}
      title={t('file.title')}
      footer={
        <Button variant="outline" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      }
    >
      {isPending ? (
        <SkeletonRows rows={3} />
      ) : error && newest === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : newest && newest.id === followed ? (
        <Standing shown={newest} onAgain={() => setFollowed(null)} />
      ) : (
        <chakra.div display="flex" flexDirection="column" gap="4">
          <SheetImport
            text={t('file.text')}
            example={{ address: exampleSheet, name: EXAMPLE_NAME }}
            file={file}
            onFile={setFile}
            fields={FIELDS}
            isComplete={({ numberColumn, userIdColumn }) =>
              numberColumn !== null || userIdColumn !== null
            }
            incomplete={t('file.empty')}
            repeated={t('file.existing')}
            query={filePreviewQuery}
            send={async (picked, layout, onProgress) => {
              setFollowed((await uploadContacts(client, picked, layout, onProgress)).id);
            }}
          />
          {newest && !file && (
            <chakra.section
              display="flex"
              flexDirection="column"
              gap="3"
              pt="4"
              borderTopWidth="1px"
              aria-label={t('file.last')}
            >
              <chakra.h3 textStyle="sm" fontWeight="semibold">
                {t('file.last')}
              </chakra.h3>
              <Standing shown={newest} />
            </chakra.section>
          )}
        </chakra.div>
      )}
    </Dialog>
  );
}

interface StandingProps {
  shown: ContactImport;
  /** Omitted if the next file can be chosen beside it. */
  onAgain?: () => void;
}

/** The progress or the result of an import. */
function Standing({ shown, onAgain }: StandingProps) {
  const { t } = useTranslation(['contacts', 'sheets']);
  const user = useCurrentUser();
  const cancel = useCancelImport();
  const running = isRunning(shown);
  const isMine = shown.user?.id === user.id;

  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <SheetProgress shown={shown} lines={LINES} />
      <chakra.p textStyle="xs" color="fg.muted">
        {running && `${t('file.goesOn')} `}
        {t(!shown.user || isMine ? 'file.at' : 'file.by', {
          name: shown.user?.name,
          at: formatDateTime(shown.createdAt),
        })}
      </chakra.p>
      <chakra.div display="flex" flexWrap="wrap" gap="2" _empty={{ display: 'none' }}>
        {running && (isMine || may(user, 'contacts:delete')) && (
          <Button
            variant="outline"
            loading={cancel.isPending}
            onClick={() => cancel.mutate(shown.id, { onError: toast.error })}
          >
            {t('file.cancel')}
          </Button>
        )}
        {!running && shown.failedCount > 0 && (
          <DownloadButton
            label={t('sheets:faults')}
            fetchFile={() => fetchImportFaults(shown.id)}
            fileName={FAULTS_NAME}
          />
        )}
        {!running && onAgain && (
          <Button variant="outline" onClick={onAgain}>
            {t('sheets:again')}
          </Button>
        )}
      </chakra.div>
    </chakra.div>
  );
}
