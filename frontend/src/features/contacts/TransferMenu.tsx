import { ArrowDownUp, Download, FileSpreadsheet, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { Menu } from '@/components/Menu';
import { saveFile } from '@/lib/download';
import { may } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { fetchContactsFile } from './api';
import { FileImportDialog } from './FileImportDialog';
import { ImportDialog } from './ImportDialog';

/** The file's name is fixed (rules/contacts §5). */
const FILE_NAME = 'contacts.csv';

interface TransferMenuProps {
  search: string;
  isEmpty: boolean;
  /** Without labels if there is little room. */
  isCompact: boolean;
}

/** Imports and exports contacts: the phone's address book, and files. */
export function TransferMenu({ search, isEmpty, isCompact }: TransferMenuProps) {
  const { t } = useTranslation('contacts');
  const [source, setSource] = useState<'phone' | 'file' | null>(null);
  const [isExporting, setExporting] = useState(false);
  const user = useCurrentUser();
  const mayImport = may(user, 'contacts:edit');
  const mayExport = may(user, 'contacts:export');

  async function exportFile(text: string) {
    setExporting(true);
    try {
      saveFile(await fetchContactsFile(text), FILE_NAME);
      toast.success(t('transfer.exported'));
    } catch (error) {
      toast.error(error);
    } finally {
      setExporting(false);
    }
  }

  if (!mayImport && !mayExport) return null;
  return (
    <>
      <Menu
        trigger={
          isCompact ? (
            <IconButton
              label={isExporting ? t('transfer.exporting') : t('transfer.menu')}
              icon={<ArrowDownUp size={16} />}
              variant="outline"
              loading={isExporting}
            />
          ) : (
            <Button variant="outline" icon={<ArrowDownUp size={16} />} loading={isExporting}>
              {isExporting ? t('transfer.exporting') : t('transfer.menu')}
            </Button>
          )
        }
        groups={[
          {
            entries: mayImport
              ? [
                  {
                    id: 'import',
                    label: t('transfer.import'),
                    icon: <Smartphone size={16} />,
                    onSelect: () => setSource('phone'),
                  },
                  {
                    id: 'importFile',
                    label: t('transfer.importFile'),
                    icon: <FileSpreadsheet size={16} />,
                    onSelect: () => setSource('file'),
                  },
                ]
              : [],
          },
          {
            entries: [
              ...(mayExport && search
                ? [
                    {
                      id: 'exportFound',
                      label: t('transfer.exportFound'),
                      icon: <Download size={16} />,
                      disabled: isEmpty,
                      onSelect: () => void exportFile(search),
                    },
                  ]
                : []),
              ...(mayExport
                ? [
                    {
                      id: 'export',
                      label: t('transfer.export'),
                      icon: <Download size={16} />,
                      disabled: isEmpty && !search,
                      onSelect: () => void exportFile(''),
                    },
                  ]
                : []),
            ],
          },
        ].filter(({ entries }) => entries.length > 0)}
      />
      {source === 'phone' && <ImportDialog onClose={() => setSource(null)} />}
      {source === 'file' && <FileImportDialog onClose={() => setSource(null)} />}
    </>
  );
}
