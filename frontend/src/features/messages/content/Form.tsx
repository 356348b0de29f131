import { chakra } from '@chakra-ui/react';
import { ClipboardList } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Meta } from '../BubbleTime';
import type { FormLine } from '../parse';
import type { Message } from '../types';

/** A form that the contact filled in: each question with its answer. */
export function FormContent({ message, lines }: { message: Message; lines: FormLine[] }) {
  const { t } = useTranslation('conversation');
  return (
    <chakra.div minW="min(220px, 100%)" data-body>
      <chakra.div display="flex" alignItems="center" gap="1.5" textStyle="xs" color="fg.muted">
        <ClipboardList size={14} aria-hidden />
        {t('form.label')}
      </chakra.div>
      <chakra.dl mt="1" display="flex" flexDirection="column" gap="1.5">
        {lines.map(({ label, text }, place) => (
          <chakra.div key={place}>
            <chakra.dt textStyle="xs" color="fg.muted" overflowWrap="anywhere">
              {label}
            </chakra.dt>
            <chakra.dd textStyle="md" whiteSpace="pre-wrap" overflowWrap="anywhere">
              {text}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
      <Meta message={message} />
    </chakra.div>
  );
}
