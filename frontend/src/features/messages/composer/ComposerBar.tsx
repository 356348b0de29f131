import { chakra } from '@chakra-ui/react';
import { Pencil, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { Quote } from '../Quote';
import type { Message } from '../types';

interface BarProps {
  /** The message that is quoted or edited. */
  quoted: Message | null;
  isEdit: boolean;
  onClose: () => void;
}

/** The bar above the input: the quoted message, or the one that is edited. */
export function ComposerBar({ quoted, isEdit, onClose }: BarProps) {
  const { t } = useTranslation('messages');
  if (!quoted) return null;
  return (
    <chakra.div ps="2" pe="1" pt="2">
      {isEdit && (
        <chakra.div
          display="flex"
          alignItems="center"
          gap="1.5"
          px="2"
          pb="1"
          textStyle="xs"
          fontWeight="medium"
          color="brand.fg"
        >
          <Pencil size={14} aria-hidden />
          {t('composer.editing')}
        </chakra.div>
      )}
      <chakra.div display="flex" alignItems="center" gap="1">
        <Quote quoted={quoted} />
        <IconButton
          label={isEdit ? t('composer.cancelEdit') : t('composer.cancelReply')}
          icon={<X size={20} />}
          size="sm"
          onClick={onClose}
        />
      </chakra.div>
    </chakra.div>
  );
}
