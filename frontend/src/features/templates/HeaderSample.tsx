import { chakra } from '@chakra-ui/react';
import { Paperclip } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field, useFieldProps } from '@/components/Field';
import { errorMessage } from '@/lib/toast';
import { uploadSample } from './api';
import type { TemplateForm } from './form';

const ACCEPTED = {
  IMAGE: { kind: 'image', accept: '.png,.jpg,.jpeg' },
  VIDEO: { kind: 'video', accept: '.mp4' },
  DOCUMENT: { kind: 'document', accept: '.pdf' },
} as const;

interface HeaderSampleProps {
  connectionId: number;
  format: keyof typeof ACCEPTED;
  /** Whether the stored template has a sample: Meta does not return its handle (formOf). */
  isAgain: boolean;
  /** The name of the uploaded file. */
  name: string;
  error: string | undefined;
  onChange: (changes: Partial<TemplateForm>) => void;
}

/** The sample file of a header; it is uploaded as soon as it is chosen. */
export function HeaderSample(props: HeaderSampleProps) {
  const { connectionId, format, isAgain, name, error, onChange } = props;
  const { t } = useTranslation(['templatesPage', 'templates', 'reasons']);
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState('');
  const address = useRef('');
  const isGone = useRef(false);
  const { kind, accept } = ACCEPTED[format];
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      if (address.current) URL.revokeObjectURL(address.current);
    };
  }, []);

  const choose = async (file: File) => {
    setBusy(true);
    setRefusal('');
    try {
      const { handle } = await uploadSample(connectionId, file);
      // The user has chosen another header format meanwhile.
      if (isGone.current) return;
      if (address.current) URL.revokeObjectURL(address.current);
      address.current = URL.createObjectURL(file);
      onChange({ handle, fileName: file.name, fileUrl: address.current });
    } catch (caught) {
      setRefusal(errorMessage(caught));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Field
      label={t(`common:headerMedia.${kind}`)}
      help={`${t(`templates:media.rule.${kind}`)} ${isAgain ? t('sampleAgain') : ''}`.trim()}
      error={refusal || error}
      required
    >
      <Control
        accept={accept}
        busy={busy}
        label={name || t(`templates:media.attach.${kind}`)}
        onChoose={(file) => void choose(file)}
      />
    </Field>
  );
}

interface ControlProps {
  accept: string;
  busy: boolean;
  label: string;
  onChoose: (file: File) => void;
}

function Control({ accept, busy, label, onChoose }: ControlProps) {
  const input = useRef<HTMLInputElement>(null);
  const field = useFieldProps();
  return (
    <>
      <chakra.input
        ref={input}
        type="file"
        hidden
        aria-hidden
        tabIndex={-1}
        accept={accept}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) onChoose(file);
          event.target.value = '';
        }}
      />
      <Button
        {...field}
        variant="outline"
        w="full"
        borderStyle="dashed"
        loading={busy}
        icon={<Paperclip size={16} />}
        onClick={() => input.current?.click()}
      >
        {label}
      </Button>
    </>
  );
}
