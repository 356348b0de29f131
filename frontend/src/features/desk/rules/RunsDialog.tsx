import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/Dialog';
import { Runs } from './Runs';

interface RunsDialogProps {
  ruleId: number;
  name: string;
  onClose: () => void;
}

/** The log of one rule. */
export function RunsDialog({ ruleId, name, onClose }: RunsDialogProps) {
  const { t } = useTranslation('rules');
  return (
    <Dialog open onClose={onClose} title={t('log.title', { name })} size="lg">
      <Runs ruleId={ruleId} />
    </Dialog>
  );
}
