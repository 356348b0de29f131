import { chakra } from '@chakra-ui/react';
import { Trash2 } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { ConfirmDialog, Dialog } from '@/components/Dialog';
import { DownloadButton } from '@/components/DownloadButton';
import { toast } from '@/lib/toast';
import { fetchContactData, useEraseContact } from './api';
import type { Contact } from './types';

interface PersonalDataDialogProps {
  contact: Contact;
  onClose: () => void;
}

/** The rights of a person under the LGPD: a copy of their data, and its erasure. */
export function PersonalDataDialog({ contact, onClose }: PersonalDataDialogProps) {
  const { t } = useTranslation(['contacts', 'common']);
  const [isAsking, setAsking] = useState(false);
  const erase = useEraseContact();
  const { id, name } = contact;
  const confirm = () =>
    erase.mutate(id, {
      onSuccess: () => {
        toast.success(t('privacy.erased'));
        onClose();
      },
      onError: (error) => {
        toast.error(error);
        setAsking(false);
      },
    });
  return (
    <>
      <Dialog
        open
        onClose={onClose}
        size="sm"
        title={t('privacy.title', { name })}
        footer={
          <Button variant="outline" onClick={onClose}>
            {t('common:actions.close')}
          </Button>
        }
      >
        <Part title={t('privacy.copy.title')} text={t('privacy.copy.text')}>
          <DownloadButton
            fetchFile={() => fetchContactData(id)}
            fileName={`contato-${id}.zip`}
            label={t('privacy.copy.action')}
          />
        </Part>
        <Part title={t('privacy.erasure.title')} text={t('privacy.erasure.text')}>
          <Button
            variant="danger"
            size="sm"
            icon={<Trash2 size={16} />}
            onClick={() => setAsking(true)}
          >
            {t('privacy.erasure.action')}
          </Button>
        </Part>
      </Dialog>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t('privacy.erasure.question', { name })}
        confirmLabel={t('privacy.erasure.action')}
        loading={erase.isPending}
        onConfirm={confirm}
      >
        {t('privacy.erasure.warning')}
      </ConfirmDialog>
    </>
  );
}

interface PartProps {
  title: string;
  text: string;
  children: ReactNode;
}

function Part({ title, text, children }: PartProps) {
  return (
    <chakra.section
      aria-label={title}
      display="flex"
      flexDirection="column"
      alignItems="flex-start"
      gap="2"
      py="4"
      css={{ '& + &': { borderTopWidth: '1px' } }}
    >
      <chakra.h3 textStyle="sm" fontWeight="semibold">
        {title}
      </chakra.h3>
      <chakra.p textStyle="sm" color="fg.muted">
        {text}
      </chakra.p>
      {children}
    </chakra.section>
  );
}
