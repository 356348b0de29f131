import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Download, FileSpreadsheet } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';
import { formatCount } from '@/lib/format';
import { errorMessage, toast } from '@/lib/toast';
import { touch } from '@/theme/screens';
import { contactListQuery, fetchFaults, uploadSheet, type ContactListImport } from './api';
import exampleSheet from './modelo-contatos.xlsx?url';

const LINES = ['createdCount', 'duplicatesCount', 'failedCount'] as const;
const FAULTS_NAME = 'import-errors.csv';

const isRunning = (shown: ContactListImport | null | undefined) =>
  shown?.status === 'waiting' || shown?.status === 'running';

function save(file: Blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = FAULTS_NAME;
  link.click();
  // Some browsers begin to read it after the click.
  window.setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

/** Takes a sheet for a list, by choosing or dropping it, and shows how far it is and its end. */
export function ImportDialog({ listId, onClose }: { listId: number; onClose: () => void }) {
  const { t } = useTranslation(['contactLists', 'common', 'errors']);
  const { data: list } = useQuery(contactListQuery(listId));
  const shown = list?.import;
  const picker = useRef<HTMLInputElement>(null);
  const [sent, setSent] = useState(false);
  const [share, setShare] = useState<number | null>(null);
  const [refusal, setRefusal] = useState('');
  const [isOver, setOver] = useState(false);
  // One that runs is shown also to who opens the dialog anew.
  const follows = sent || isRunning(shown);

  async function send(file: File | undefined) {
    if (!file || share !== null) return;
    setRefusal('');
    setShare(0);
    try {
      await uploadSheet(listId, file, setShare);
      setSent(true);
    } catch (error) {
      setRefusal(errorMessage(error));
    } finally {
      setShare(null);
    }
  }

  return (
    <Dialog
      open
      size="sm"
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
        <chakra.div display="flex" flexDirection="column" gap="4">
          <chakra.p textStyle="sm" color="fg.muted">
            {t('import.text')}
          </chakra.p>
          <chakra.div
            display="flex"
            flexDirection="column"
            alignItems="center"
            gap="3"
            p="6"
            borderRadius="md"
            border="2px dashed"
            borderColor={isOver ? 'brand.fg' : 'border.strong'}
            onDragOver={(event) => {
              event.preventDefault();
              setOver(true);
            }}
            onDragLeave={() => setOver(false)}
            onDrop={(event) => {
              event.preventDefault();
              setOver(false);
              void send(event.dataTransfer.files[0]);
            }}
          >
            <FileSpreadsheet size={20} aria-hidden />
            <Button
              loading={share !== null}
              onClick={() => picker.current?.click()}
              aria-describedby="sheet-help"
            >
              {t('import.choose')}
            </Button>
            <chakra.p id="sheet-help" textStyle="xs" color="fg.muted" textAlign="center">
              {share === null
                ? t('import.help')
                : t('import.uploading', { percent: Math.round(share * 100) })}
            </chakra.p>
            <input
              ref={picker}
              type="file"
              hidden
              accept=".xls,.xlsx"
              onChange={(event) => {
                void send(event.target.files?.[0]);
                event.target.value = '';
              }}
            />
          </chakra.div>
          {refusal && (
            <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
              {refusal}
            </chakra.p>
          )}
          <chakra.a
            href={exampleSheet}
            download="modelo-contatos.xlsx"
            display="inline-flex"
            alignItems="center"
            gap="2"
            alignSelf="flex-start"
            textStyle="sm"
            color="brand.fg"
            minH="8"
            css={{ [touch]: { minH: '11' } }}
          >
            <Download size={16} aria-hidden />
            {t('import.example')}
          </chakra.a>
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
  const [isFetching, setFetching] = useState(false);
  const running = isRunning(shown);
  const failed = shown.status === 'failed';

  async function download() {
    setFetching(true);
    try {
      save(await fetchFaults(listId));
    } catch (error) {
      toast.error(error);
    } finally {
      setFetching(false);
    }
  }

  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <chakra.div role={failed ? 'alert' : 'status'}>
        <chakra.p textStyle="md" fontWeight="semibold" overflowWrap="anywhere">
          {t(`import.${shown.status}`, { name: shown.fileName })}
        </chakra.p>
        {failed && (
          <chakra.p mt="2" textStyle="sm" color="status.danger.fg">
            {t(`errors:${shown.errorCode ?? 'ERR_IMPORT_FAILED'}`)}
          </chakra.p>
        )}
      </chakra.div>
      {running && (
        <chakra.progress
          w="full"
          aria-label={t('import.progress')}
          max={shown.rowsCount ?? 1}
          {...(shown.rowsCount !== null && { value: shown.rowsRead })}
        />
      )}
      {shown.rowsCount !== null && (
        <chakra.p textStyle="sm" color="fg.muted" fontVariantNumeric="tabular-nums">
          {t('import.rows', {
            read: formatCount(shown.rowsRead),
            count: shown.rowsCount,
            shown: formatCount(shown.rowsCount),
          })}
        </chakra.p>
      )}
      {shown.rowsCount !== null && (
        <chakra.dl borderWidth="1px" borderRadius="md" textStyle="sm">
          {LINES.map((line) => (
            <chakra.div
              key={line}
              display="flex"
              justifyContent="space-between"
              px="3"
              py="2"
              css={{ '& + &': { borderTopWidth: '1px' } }}
            >
              <chakra.dt color="fg.muted">{t(`import.${line}`)}</chakra.dt>
              <chakra.dd fontVariantNumeric="tabular-nums">{formatCount(shown[line])}</chakra.dd>
            </chakra.div>
          ))}
        </chakra.dl>
      )}
      {!running && (
        <chakra.div display="flex" flexWrap="wrap" gap="2">
          {shown.failedCount > 0 && (
            <Button
              variant="outline"
              icon={<Download size={16} />}
              loading={isFetching}
              onClick={() => void download()}
            >
              {t('import.faults')}
            </Button>
          )}
          <Button variant="outline" onClick={onAgain}>
            {t('import.again')}
          </Button>
        </chakra.div>
      )}
    </chakra.div>
  );
}
