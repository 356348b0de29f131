import { chakra } from '@chakra-ui/react';
import { SendHorizontal } from 'lucide-react';
import { useImperativeHandle, useRef, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { EmojiButton } from '@/components/EmojiButton';
import { IconButton } from '@/components/IconButton';
import { formatCount } from '@/lib/format';
import { useCurrentUser } from '@/stores/session';
import type { ComposerHandle } from './Composer';
import { MAX_UTILITY_TEXT, signed } from './composer/signing';
import { TextField, type TextFieldHandle } from './composer/TextField';
import type { Composing } from './composer/useComposition';
import { useSigning } from './composer/useSigning';
import { send } from './outbox';

interface UtilityTextProps {
  ref?: Ref<ComposerHandle>;
  ticketId: number;
  /** The message being written, from `useComposition`. */
  composing: Composing;
  /** It is not known yet whether the account may: this text asks. */
  asks: boolean;
  /** From `useAlone`. */
  whenAlone: (run: () => void) => void;
  onSent: () => void;
}

const never = () => false;

/** The field for a text while the window is closed (rules/messages §12). */
export function UtilityText(props: UtilityTextProps) {
  const { ref, ticketId, composing, asks, onSent } = props;
  const { t } = useTranslation('messages');
  const user = useCurrentUser();
  const [signing] = useSigning();
  const field = useRef<TextFieldHandle>(null);
  useImperativeHandle(ref, () => ({ focus: () => field.current?.focus() }));
  const body = signed(composing.shown.trim(), signing ? user.name : null);
  const excess = body.length - MAX_UTILITY_TEXT;
  const canSend = composing.shown.trim() !== '' && excess <= 0;
  const submit = () => {
    if (canSend) props.whenAlone(sendText);
  };
  const sendText = () => {
    send({ ticketId, body, quoted: null, file: null, isUtility: true });
    // Attached files stay for the time when the window is open.
    composing.write('');
    onSent();
    field.current?.focus();
  };
  return (
    <chakra.form
      aria-label={t('utility.label')}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      flex="1 1 100%"
      minW="0"
      borderWidth="1px"
      borderColor="border.control"
      borderRadius="lg"
      color="fg.default"
      css={{ '&:has(textarea:focus-visible)': { borderColor: 'brand.fg', boxShadow: 'focus' } }}
    >
      <TextField
        ref={field}
        label={t('utility.label')}
        text={composing.shown}
        onChange={composing.write}
        placeholder={t('utility.placeholder')}
        onSubmit={submit}
        onSubmitLast={submit}
        onEditLast={never}
        onKeyFirst={never}
        onEscape={never}
        activeOption={null}
      />
      <chakra.div display="flex" alignItems="center" gap="2" px="2" pb="2">
        <EmojiButton
          label={t('composer.emoji')}
          onPick={(emoji) => field.current?.insert(emoji)}
          finalFocus={() => field.current?.element() ?? null}
        />
        <chakra.span flex="1" minW="0" textStyle="xs" color="fg.muted">
          {t('utility.help')}
          {asks && ` ${t('utility.asks')}`}
          {composing.attachments.length > 0 && ` ${t('utility.filesKept')}`}
        </chakra.span>
        {excess > 0 && (
          <chakra.span role="alert" textStyle="xs" color="status.danger.fg" textAlign="end">
            {t('composer.tooLong', { count: excess, number: formatCount(excess) })}
          </chakra.span>
        )}
        <IconButton
          type="submit"
          label={t('utility.send')}
          icon={<SendHorizontal size={20} />}
          variant={canSend ? 'solid' : 'ghost'}
          size="sm"
          disabled={!canSend}
        />
      </chakra.div>
    </chakra.form>
  );
}
