import { chakra } from '@chakra-ui/react';
import { KeyRound, RotateCw } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { UseMutationResult } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { ConfirmDialog, Dialog } from '@/components/Dialog';
import { Segmented } from '@/components/Tabs';
import { toast } from '@/lib/toast';
import { SNIPPETS, type SnippetLanguage } from './snippets';

/** How a receiver verifies that a call came from this server, with sample code. */
function Verification() {
  const { t } = useTranslation('integrations');
  const [language, setLanguage] = useState<SnippetLanguage>('node');
  return (
    <chakra.div display="flex" flexDirection="column" gap="2" minW="0">
      <chakra.p textStyle="sm" color="fg.muted">
        {t('secret.verify')}
      </chakra.p>
      <Segmented
        aria-label={t('secret.language')}
        value={language}
        onChange={setLanguage}
        tabs={[
          { value: 'node', label: 'Node.js' },
          { value: 'python', label: 'Python' },
          { value: 'php', label: 'PHP' },
        ]}
      />
      <CopyLine block text={SNIPPETS[language]} label={t('secret.copySnippet')} />
    </chakra.div>
  );
}

function NewSecret({ secret }: { secret: string }) {
  const { t } = useTranslation('integrations');
  const words = useRef<HTMLDivElement>(null);
  // What was pressed for it is gone; a question that closes meanwhile moves the focus once more.
  useEffect(() => {
    const timer = setTimeout(() => words.current?.focus(), 100);
    return () => clearTimeout(timer);
  }, []);
  return (
    <chakra.div display="flex" flexDirection="column" gap="4" minW="0">
      <chakra.div
        ref={words}
        tabIndex={-1}
        role="status"
        display="flex"
        gap="3"
        alignItems="flex-start"
        outline="none"
      >
        <chakra.span color="status.waiting.fg" pt="0.5">
          <KeyRound size={20} aria-hidden />
        </chakra.span>
        <chakra.div minW="0">
          <chakra.p textStyle="sm" fontWeight="semibold">
            {t('secret.onceTitle')}
          </chakra.p>
          <chakra.p textStyle="sm" color="fg.muted">
            {t('secret.onceText')}
          </chakra.p>
        </chakra.div>
      </chakra.div>
      <CopyLine text={secret} label={t('secret.copy')} />
      <Verification />
    </chakra.div>
  );
}

/** Shows a new secret, which is not shown again. */
export function NewSecretDialog({ secret, onClose }: { secret: string; onClose: () => void }) {
  const { t } = useTranslation('integrations');
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('secret.title')}
      footer={<Button onClick={onClose}>{t('secret.done')}</Button>}
    >
      <NewSecret secret={secret} />
    </Dialog>
  );
}

interface SecretFieldProps {
  /** Creates a new secret and returns it. */
  rotate: UseMutationResult<string, Error, void>;
  name: string;
  onRotated: (secret: string) => void;
}

/** A masked secret, and a button to replace it if it was leaked. */
export function SigningSecret({ rotate, name, onRotated }: SecretFieldProps) {
  const { t } = useTranslation('integrations');
  const [isAsking, setAsking] = useState(false);
  return (
    <chakra.div display="flex" flexDirection="column" gap="1.5">
      <chakra.span textStyle="sm" fontWeight="semibold">
        {t('secret.label')}
      </chakra.span>
      <chakra.div display="flex" alignItems="center" gap="3" flexWrap="wrap">
        <chakra.span aria-hidden color="fg.muted">
          ••••••••
        </chakra.span>
        <Button
          variant="outline"
          size="sm"
          icon={<RotateCw size={16} />}
          onClick={() => setAsking(true)}
        >
          {t('secret.rotate')}
        </Button>
      </chakra.div>
      <chakra.p textStyle="xs" color="fg.muted">
        {t('secret.help')}
      </chakra.p>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('secret.rotateTitle', { name })}
        confirmLabel={t('secret.rotate')}
        loading={rotate.isPending}
        onConfirm={() =>
          rotate.mutate(undefined, {
            onSuccess: onRotated,
            onError: toast.error,
            onSettled: () => setAsking(false),
          })
        }
      >
        {t('secret.rotateText')}
      </ConfirmDialog>
    </chakra.div>
  );
}
