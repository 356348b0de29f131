import { chakra } from '@chakra-ui/react';
import { Send } from 'lucide-react';
import { useRef, useState, type SubmitEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { Button } from '@/components/Button';
import { CopyLine } from '@/components/CopyLine';
import { Field } from '@/components/Field';
import { FileField, type ChosenFile } from '@/components/FileField';
import { PasswordInput, TextArea, TextInput } from '@/components/TextInput';
import { errorMessage } from '@/lib/toast';
import { sendAsProgram, type Outcome } from './api';
import { isNumber } from './number';
import type { Kind } from './samples';

interface TestCallFormProps {
  kind: Kind;
  /** Shared by both forms and the sample programs, like the number. */
  token: string;
  onToken: (token: string) => void;
  number: string;
  onNumber: (number: string) => void;
}

/**
 * Sends a text or a file with a connection's token, and shows the response as a program gets it.
 */
export function TestCallForm({ kind, token, onToken, number, onNumber }: TestCallFormProps) {
  const { t } = useTranslation(['messagesApi', 'common']);
  const [body, setBody] = useState('');
  const [file, setFile] = useState<ChosenFile | null>(null);
  const [wasTried, setTried] = useState(false);
  const [isSending, setSending] = useState(false);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const form = useRef<HTMLFormElement>(null);
  const isText = kind === 'text';
  const required = t('common:field.required');
  const faults = {
    token: token.trim() ? undefined : required,
    number: !number.trim() ? required : isNumber(number) ? undefined : t('form.wrongNumber'),
    body: body.trim() || (!isText && file) ? undefined : t(isText ? 'form.noText' : 'form.noFile'),
  };
  const shown = (fault: string | undefined) => (wasTried ? fault : undefined);

  async function submit(event: SubmitEvent) {
    event.preventDefault();
    setTried(true);
    if (Object.values(faults).some(Boolean)) {
      // Wait until the invalid fields are marked.
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
      );
      return;
    }
    setSending(true);
    setOutcome(await sendAsProgram({ token, number, body, file: file?.file ?? null }));
    setSending(false);
  }

  return (
    <chakra.form
      ref={form}
      noValidate
      display="flex"
      flexDirection="column"
      gap="4"
      pt="4"
      onSubmit={(event) => void submit(event)}
    >
      <Field
        label={t('form.token')}
        help={t('form.tokenHelp')}
        error={shown(faults.token)}
        required
      >
        <PasswordInput
          autoComplete="off"
          spellCheck={false}
          value={token}
          onChange={(event) => onToken(event.target.value)}
        />
      </Field>
      <Field
        label={t('form.number')}
        help={t('form.numberHelp')}
        error={shown(faults.number)}
        required
      >
        <TextInput
          inputMode="numeric"
          autoComplete="off"
          maxLength={60}
          value={number}
          onChange={(event) => onNumber(event.target.value)}
        />
      </Field>
      {!isText && <FileField file={file} readOnly={false} progress={null} onChange={setFile} />}
      <Field
        label={t(isText ? 'form.text' : 'form.caption')}
        error={shown(faults.body)}
        required={isText}
      >
        <TextArea
          rows={isText ? 3 : 2}
          maxLength={4096}
          value={body}
          onChange={(event) => setBody(event.target.value)}
        />
      </Field>
      <chakra.div display="flex" justifyContent="flex-end">
        <Button
          type="submit"
          variant="solid"
          icon={<Send size={16} aria-hidden />}
          loading={isSending}
        >
          {t(isText ? 'form.sendText' : 'form.sendFile')}
        </Button>
      </chakra.div>
      <chakra.div role="status" aria-label={t('form.answer')}>
        {outcome && <Answer outcome={outcome} />}
      </chakra.div>
    </chakra.form>
  );
}

function Answer({ outcome }: { outcome: Outcome }) {
  const { t } = useTranslation('messagesApi');
  const { status, text, error } = outcome;
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <chakra.p display="flex" gap="2" alignItems="center" flexWrap="wrap">
        {status > 0 && <Badge tone={error ? 'danger' : 'live'}>{`HTTP ${status}`}</Badge>}
        <chakra.span color={error ? 'status.danger.fg' : undefined}>
          {error ? errorMessage(error) : t('form.sent')}
        </chakra.span>
      </chakra.p>
      {text && <CopyLine block text={text} label={t('form.copyAnswer')} />}
    </chakra.div>
  );
}
