import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { DownloadButton } from '@/components/DownloadButton';
import { SheetImport } from '@/components/SheetImport';
import { SheetProgress } from '@/components/SheetProgress';
import { isRunning } from '@/lib/sheets';
import {
  contactListQuery,
  fetchFaults,
  previewQuery,
  uploadSheet,
  type ContactListImport,
} from './api';
import exampleSheet from './modelo-contatos.xlsx?url';

const FIELDS = [
  { value: 'name', isRequired: true },
  { value: 'number', isRequired: true },
  { value: 'email' },
] as const;
const LINES = ['createdCount', 'duplicatesCount', 'failedCount'] as const;
const FAULTS_NAME = 'import-errors.csv';

/** Imports a sheet into a list, by file chooser or drop, and shows progress and result. */
export function ImportDialog({ listId, onClose }: { listId: number; onClose: () => void }) {
  const { t } = useTranslation(['contactLists', 'common']);
  const { data: list } = useQuery(contactListQuery(listId));
  const shown = list?.import;
  const [sent, setSent] = useState(false);
  const [file, setFile] = useState<File>();
  // A running import is also shown after the dialog is opened again.
  const follows = sent || (shown && isRunning(shown));

  return (
    <Dialog
      open
      size={file ? 'md' : 'sm'}
      onClose={onClose}
      title={t('import.title')}
      footer={
        <Button variant="outline" onClick={onClose}>
          {t('common:actions.close')}
        </Button>
      }
    >
      {follows && shown ? (
        <Progress listId={listId} shown={shown} onAgain={() => setSent(false)} />
      ) : (
        <SheetImport
          text={t('import.text')}
          example={{ address: exampleSheet, name: 'modelo-contatos.xlsx' }}
          file={file}
          onFile={setFile}
          fields={FIELDS}
          isComplete={({ nameColumn, numberColumn }) =>
            nameColumn !== null && numberColumn !== null
          }
          incomplete={t('import.empty')}
          repeated={t('import.duplicate')}
          query={(picked, layout) => previewQuery(listId, picked, layout)}
          send={async (picked, layout, onProgress) => {
            await uploadSheet(listId, picked, layout, onProgress);
            setSent(true);
          }}
        />
      )}
    </Dialog>
  );
}

interface ProgressProps {
  listId: number;
  shown: ContactListImport;
  onAgain: () => void;
}

function Progress({ listId, shown, onAgain }: ProgressProps) {
  const { t } = useTranslation(['contactLists', 'sheets']);
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <SheetProgress shown={shown} lines={LINES} />
      {!isRunning(shown) && (
        <chakra.div display="flex" flexWrap="wrap" gap="2">
          {shown.failedCount > 0 && (
            <DownloadButton
              label={t('sheets:faults')}
              fetchFile={() => fetchFaults(listId)}
              fileName={FAULTS_NAME}
            />
          )}
          <Button variant="outline" onClick={onAgain}>
            {t('sheets:again')}
          </Button>
        </chakra.div>
      )}
    </chakra.div>
  );
}
