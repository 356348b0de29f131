import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Dialog } from '@/components/Dialog';

interface ConflictDialogProps {
  busy: boolean;
  /** Loads the other user's version; the own changes are lost. */
  onReload: () => void;
  /** Overwrites the other user's version. */
  onOverwrite: () => void;
  onClose: () => void;
}

/** Another user has saved the queue meanwhile: asks which version to keep. */
export function ConflictDialog({ busy, onReload, onOverwrite, onClose }: ConflictDialogProps) {
  const { t } = useTranslation(['queues', 'common']);
  return (
    <Dialog
      open
      size="md"
      onClose={onClose}
      title={t('conflict.title')}
      footer={
        <chakra.div display="flex" flexWrap="wrap" gap="3" justifyContent="flex-end">
          <Button variant="ghost" onClick={onClose} disabled={busy}>
            {t('common:actions.keepEditing')}
          </Button>
          <Button variant="outline" onClick={onReload} disabled={busy}>
            {t('conflict.reload')}
          </Button>
          <Button onClick={onOverwrite} loading={busy}>
            {t('conflict.overwrite')}
          </Button>
        </chakra.div>
      }
    >
      <chakra.p textStyle="sm" color="fg.muted">
        {t('conflict.text')}
      </chakra.p>
    </Dialog>
  );
}
