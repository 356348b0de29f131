import { chakra } from '@chakra-ui/react';
import { FileJson } from 'lucide-react';
import { useRef } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CancelButton, Dialog } from '@/components/Dialog';
import { EmptyState, SkeletonFields } from '@/components/States';
import { errorMessage, toast } from '@/lib/toast';
import { countOptions, type QueueDraft } from '../drafts';
import { draftsOf, NoFlow, useReadFlow } from './api';
import { FlowReport } from './FlowReport';
import { MenuOutline } from './MenuOutline';

interface TypebotDialogProps {
  form: UseFormReturn<QueueDraft>;
  onTaken: () => void;
  onClose: () => void;
}

/** Reads an exported flow, shows the menu that it makes, and takes it over as a draft. */
export function TypebotDialog({ form, onTaken, onClose }: TypebotDialogProps) {
  const { t } = useTranslation('typebot');
  const picker = useRef<HTMLInputElement>(null);
  const read = useReadFlow();
  const menu = read.data;
  const replaced = countOptions(form.getValues('options'));

  const take = () => {
    if (!menu) return;
    const change = { shouldDirty: true, shouldValidate: form.formState.isSubmitted };
    form.setValue('options', draftsOf(menu.options), change);
    if (menu.greetingMessage) form.setValue('greetingMessage', menu.greetingMessage, change);
    onTaken();
    onClose();
    toast.success(t('taken'));
  };

  return (
    <Dialog
      open
      size="lg"
      title={t('title')}
      onClose={onClose}
      footer={
        <>
          <CancelButton />
          <Button disabled={!menu || menu.options.length === 0} onClick={take}>
            {t('take')}
          </Button>
        </>
      }
    >
      <chakra.div display="flex" flexDirection="column" gap="5">
        <chakra.p textStyle="sm" color="fg.muted">
          {t('about')}
        </chakra.p>
        <chakra.div display="flex" flexWrap="wrap" alignItems="center" gap="3">
          <Button
            variant="outline"
            icon={<FileJson size={16} />}
            loading={read.isPending}
            onClick={() => picker.current?.click()}
          >
            {t(menu ? 'chooseOther' : 'choose')}
          </Button>
          {read.variables && (
            <chakra.span textStyle="sm" color="fg.muted" overflowWrap="anywhere">
              {read.variables.name}
            </chakra.span>
          )}
          <input
            ref={picker}
            type="file"
            hidden
            aria-label={t('choose')}
            accept=".json,application/json"
            onChange={(event) => {
              const [file] = event.target.files ?? [];
              if (file) read.mutate(file);
              event.target.value = '';
            }}
          />
        </chakra.div>
        {read.error && (
          <chakra.p role="alert" textStyle="sm" color="status.danger.fg">
            {read.error instanceof NoFlow ? t(read.error.reason) : errorMessage(read.error)}
          </chakra.p>
        )}
        {read.isPending && <SkeletonFields />}
        {menu?.options.length === 0 && <EmptyState title={t('nothing')} text={t('nothingHelp')} />}
        {menu && menu.options.length > 0 && (
          <>
            {replaced > 0 && (
              <chakra.p role="status" textStyle="sm">
                {t('replaces', { count: replaced })}
              </chakra.p>
            )}
            <MenuOutline menu={menu} />
          </>
        )}
        {menu && <FlowReport blocks={menu.blocks} />}
      </chakra.div>
    </Dialog>
  );
}
