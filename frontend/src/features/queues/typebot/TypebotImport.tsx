import { Download } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import type { QueueDraft } from '../drafts';

const TypebotDialog = lazy(async () => ({
  default: (await import('./TypebotDialog')).TypebotDialog,
}));

interface TypebotImportProps {
  form: UseFormReturn<QueueDraft>;
  /** Called when the draft was taken over. */
  onTaken: () => void;
}

/** Imports a flow of Typebot into the menu that is being edited (rules/queues §6). */
export function TypebotImport({ form, onTaken }: TypebotImportProps) {
  const { t } = useTranslation('typebot');
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="sm" variant="ghost" icon={<Download size={16} />} onClick={() => setOpen(true)}>
        {t('open')}
      </Button>
      {open && (
        <Suspense>
          <TypebotDialog form={form} onTaken={onTaken} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
