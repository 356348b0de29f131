import { chakra } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Spinner } from '@/components/Button';
import { errorMessage } from '@/lib/toast';
import type { EditedSetting } from './useEditedSetting';

interface RowProps {
  setting: Pick<EditedSetting, 'status' | 'error'>;
  label: string;
  /** One sentence about the setting's effect. */
  help: ReactNode;
  /** Renders the control with the ids of the label and the help text. */
  children: (ids: { id: string; labelId: string; helpId: string }) => ReactNode;
  /** Puts the control below the texts, in full width. */
  wide?: boolean;
  /** Shown below the row, for example a sample text or a link. */
  after?: ReactNode;
}

/**
 * Label and help text on the left, the control on the right, and the state of saving beside the
 * label.
 */
export function SettingRow({ setting, label, help, children, wide = false, after }: RowProps) {
  const { t } = useTranslation('settings');
  const id = useId();
  const ids = { id, labelId: `${id}-label`, helpId: `${id}-help` };
  const control = children(ids);
  return (
    <chakra.div px={{ base: '4', sm: '5' }} py="3.5" _notFirst={{ borderTopWidth: '1px' }}>
      <chakra.div
        display="flex"
        alignItems="flex-start"
        gap="4"
        flexWrap={{ base: 'wrap', sm: 'nowrap' }}
      >
        <chakra.div flex="1" minW={wide ? 'full' : '0'}>
          <chakra.div display="flex" alignItems="center" gap="2.5" minH="5">
            <chakra.label id={ids.labelId} htmlFor={id} textStyle="md" fontWeight="medium">
              {label}
            </chakra.label>
            <SaveMark status={setting.status} />
          </chakra.div>
          <chakra.p id={ids.helpId} mt="0.5" textStyle="sm" color="fg.muted" maxW="64ch">
            {help}
          </chakra.p>
        </chakra.div>
        {!wide && control}
      </chakra.div>
      {wide && <chakra.div mt="3">{control}</chakra.div>}
      {setting.status === 'error' && (
        <chakra.p role="alert" mt="2" textStyle="xs" color="status.danger.fg">
          {t('notSaved', { reason: errorMessage(setting.error) })}
        </chakra.p>
      )}
      {after}
    </chakra.div>
  );
}

/** 'Salvando…', then a tick. Screen readers get the success from the toast. */
function SaveMark({ status }: Pick<EditedSetting, 'status'>) {
  const { t } = useTranslation('settings');
  if (status !== 'pending' && status !== 'success') return null;
  return (
    <chakra.span
      key={status}
      display="inline-flex"
      alignItems="center"
      gap="1"
      textStyle="xs"
      color={status === 'success' ? 'status.live.fg' : 'fg.muted'}
      animation="fade-in 160ms"
      aria-hidden={status === 'success' || undefined}
    >
      {status === 'success' ? <Check size={16} /> : <Spinner size={14} />}
      {t(status === 'success' ? 'savedMark' : 'saving')}
    </chakra.span>
  );
}
