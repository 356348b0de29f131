import { chakra } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { DownloadButton } from '@/components/DownloadButton';
import { SheetDrop } from '@/components/SheetDrop';
import { SheetProgress } from '@/components/SheetProgress';
import { formatCount } from '@/lib/format';
import { errorMessage } from '@/lib/toast';
import {
  contactListQuery,
  fetchFaults,
  previewQuery,
  uploadSheet,
  type ContactListImport,
  type SheetLayout,
} from './api';
import { ImportPreview } from './ImportPreview';
import exampleSheet from './modelo-contatos.xlsx?url';

const LINES = ['createdCount', 'duplicatesCount', 'failedCount'] as const;
const FAULTS_NAME = 'import-errors.csv';

const isRunning = (shown: ContactListImport | null | undefined) =>
  shown?.status === 'waiting' || shown?.status === 'running';

/** Imports a sheet into a list, by file chooser or drop, and shows progress and result. */
export function ImportDialog({ listId, onClose }: { listId: number; onClose: () => void }) {
  const { t } = useTranslation(['contactLists', 'common', 'errors']);
  const { data: list } = useQuery(contactListQuery(listId));
  const shown = list?.import;
  const [sent, setSent] = useState(false);
  const [share, setShare] = useState<number | null>(null);
  const client = useQueryClient();
  const [file, setFile] = useState<File>();
  const [isReading, setReading] = useState(false);
  const [refusal, setRefusal] = useState('');
  // A running import is also shown after the dialog is opened again.
  const follows = sent || isRunning(shown);

  async function choose(picked: File) {
    setRefusal('');
    setReading(true);
    try {
      await client.query(previewQuery(listId, picked, undefined));
      setFile(picked);
    } catch (error) {
      setRefusal(errorMessage(error));
    } finally {
      setReading(false);
    }
  }

  async function send(picked: File, layout: SheetLayout) {
    setShare(0);
    try {
      await uploadSheet(listId, picked, layout, setShare);
      setSent(true);
    } catch (error) {
      setRefusal(errorMessage(error));
    } finally {
      setFile(undefined);
      setShare(null);
    }
  }

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
      ) : file ? (
        <ImportPreview
          listId={listId}
          file={file}
          share={share}
          onBack={() => setFile(undefined)}
          onImport={(layout) => void send(file, layout)}
        />
      ) : (
        <chakra.div display="flex" flexDirection="column" gap="4">
          <chakra.p textStyle="sm" color="fg.muted">
            {t('import.text')}
          </chakra.p>
          <SheetDrop
            choose={t('import.choose')}
            help={t(isReading ? 'import.reading' : 'import.help')}
            accept=".csv,.tsv,.txt,.xls,.xlsx"
            isSending={isReading}
            onFile={(picked) => void choose(picked)}
            refusal={refusal}
            example={{
              address: exampleSheet,
              name: 'modelo-contatos.xlsx',
              label: t('import.example'),
            }}
          />
        </chakra.div>
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
  const { t } = useTranslation(['contactLists', 'errors']);
  const running = isRunning(shown);

  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <SheetProgress
        title={t(`import.${shown.status}`, { name: shown.fileName })}
        failure={
          shown.status === 'failed' ? t(`errors:${shown.errorCode ?? 'ERR_IMPORT_FAILED'}`) : ''
        }
        progressLabel={t('import.progress')}
        read={shown.rowsRead}
        count={shown.rowsCount}
        isRunning={running}
        words={t('import.rows', {
          read: formatCount(shown.rowsRead),
          count: shown.rowsCount ?? 0,
          shown: formatCount(shown.rowsCount ?? 0),
        })}
        lines={LINES.map((line) => ({
          id: line,
          label: t(`import.${line}`),
          count: shown[line],
        }))}
      />
      {!running && (
        <chakra.div display="flex" flexWrap="wrap" gap="2">
          {shown.failedCount > 0 && (
            <DownloadButton
              label={t('import.faults')}
              fetchFile={() => fetchFaults(listId)}
              fileName={FAULTS_NAME}
            />
          )}
          <Button variant="outline" onClick={onAgain}>
            {t('import.again')}
          </Button>
        </chakra.div>
      )}
    </chakra.div>
  );
}
