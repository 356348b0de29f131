import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/Dialog';
import { formatCount } from '@/lib/format';
import { amountsText } from './Amounts';
import type { AutomaticText } from './types';
import { useTextName } from './useGroupName';

interface StopDialogProps {
  text: AutomaticText;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before a text is stopped, and says what contacts no longer get. */
export function StopDialog({ text, busy, onConfirm, onClose }: StopDialogProps) {
  const { t } = useTranslation('costs');
  const { origin, places, figures } = text;
  const written = places.filter(({ kind }) => kind !== 'setting');
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      onConfirm={onConfirm}
      loading={busy}
      title={t('automatic.ask', { name: useTextName()(text) })}
      confirmLabel={t('automatic.stop')}
    >
      <chakra.div display="flex" flexDirection="column" gap="3">
        <p>{t(`automatic.without.${origin}`)}</p>
        {places.some(({ beginsMenu }) => beginsMenu) && <p>{t('automatic.menuBegins')}</p>}
        {written.length > 0 && (
          <chakra.ul
            aria-label={t('automatic.places')}
            listStyleType="none"
            m="0"
            p="0"
            display="flex"
            flexDirection="column"
            gap="2"
            maxH="48"
            overflowY="auto"
          >
            {written.map(({ kind, id, name, text: words }) => (
              <chakra.li key={`${kind} ${id}`} borderStartWidth="2px" ps="3">
                <chakra.span display="block" textStyle="xs">
                  {t(`automatic.kinds.${kind}`, { name })}
                </chakra.span>
                <chakra.span
                  color="fg.default"
                  lineClamp="3"
                  overflowWrap="anywhere"
                  whiteSpace="pre-wrap"
                >
                  {words}
                </chakra.span>
              </chakra.li>
            ))}
          </chakra.ul>
        )}
        <p>
          {t('automatic.saves', {
            count: figures.messages,
            messages: formatCount(figures.messages),
            cost: amountsText(figures.amounts),
          })}{' '}
          {t(written.length > 0 ? 'automatic.isKept' : 'automatic.isSwitch')}
        </p>
      </chakra.div>
    </ConfirmDialog>
  );
}
