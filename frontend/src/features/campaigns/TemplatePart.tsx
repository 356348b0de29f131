import { chakra } from '@chakra-ui/react';
import { Paperclip, X } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { IconButton } from '@/components/IconButton';
import { Select } from '@/components/Select';
import type { MediaKind } from '@/lib/templates/shown';
import { TextInput } from '@/components/TextInput';
import { mediaOf, slotsOf, type Slot } from '@/lib/templates/filling';
import { uploadHeaderFile, type Template } from '@/features/templates/api';
import { errorMessage } from '@/lib/toast';
import { keyOf, NO_TEMPLATE, offeredTemplates, type TemplateChoice } from './template';
import { PERSONAL } from './filling';
import type { OwnVariable } from './types';

const ACCEPTED: Record<MediaKind, string> = {
  image: '.png,.jpg,.jpeg',
  video: '.mp4',
  document: '.pdf',
};

interface TemplatePartProps {
  connectionId: number;
  templates: readonly Template[];
  isFailed: boolean;
  choice: TemplateChoice;
  onChange: (choice: TemplateChoice) => void;
  /** The fields that are missing, after an attempt to save. */
  missing: readonly string[];
  own: readonly OwnVariable[];
  isLocked: boolean;
}

/** The approved template, with its parameters, for contacts whose 24-hour window is closed. */
export function TemplatePart(props: TemplatePartProps) {
  const { connectionId, templates, choice, onChange, missing, own, isLocked } = props;
  const { t } = useTranslation(['campaigns', 'templates', 'common']);
  const offered = offeredTemplates(templates);
  const { template } = choice;
  const shown =
    template && !offered.some((each) => keyOf(each) === keyOf(template))
      ? [...offered, template]
      : offered;
  const labelOf = ({ kind, place, name, label }: Slot) =>
    kind === 'text'
      ? t(place === 'header' ? 'templates:field.header' : 'templates:field.body', { name })
      : t(`templates:field.${kind}`, { label });
  const media = template && mediaOf(template);
  const names = [...PERSONAL, ...own.map(({ key }) => key)].map((name) => `{${name}}`).join(' ');
  const hasText = template && slotsOf(template).length > 0;

  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <Field
        label={t('template.title')}
        help={t(props.isFailed ? 'template.failed' : 'template.help')}
      >
        <Select
          placeholder={t('template.none')}
          disabled={isLocked}
          options={shown.map((each) => ({
            value: keyOf(each),
            label: `${each.name} (${each.language.replace('_', '-')})`,
          }))}
          value={template ? keyOf(template) : ''}
          onChange={({ target }) => {
            const found = shown.find((each) => keyOf(each) === target.value);
            onChange(found ? { template: found, values: {}, file: null } : NO_TEMPLATE);
          }}
        />
      </Field>
      {media && (
        <HeaderFileField
          kind={media}
          name={choice.file ? choice.file.name || t(`common:headerMedia.${media}`) : null}
          error={missing.includes('file') ? t('common:field.required') : undefined}
          isLocked={isLocked}
          upload={async (file) => {
            const { id } = await uploadHeaderFile(connectionId, file);
            onChange({ ...choice, file: { kind: media, id, name: file.name, url: undefined } });
          }}
          onRemove={() => onChange({ ...choice, file: null })}
        />
      )}
      {template &&
        slotsOf(template).map((slot) => (
          <Field
            key={slot.field}
            label={labelOf(slot)}
            required
            error={missing.includes(slot.field) ? t('common:field.required') : undefined}
          >
            <TextInput
              autoComplete="off"
              disabled={isLocked}
              placeholder={
                slot.example ? t('templates:field.example', { example: slot.example }) : undefined
              }
              value={choice.values[slot.field] ?? ''}
              onChange={({ target }) =>
                onChange({ ...choice, values: { ...choice.values, [slot.field]: target.value } })
              }
            />
          </Field>
        ))}
      {hasText && !isLocked && (
        <chakra.p textStyle="xs" color="fg.muted" mt="-2">
          {t('template.variables', { names })}
        </chakra.p>
      )}
    </chakra.div>
  );
}

interface HeaderFileFieldProps {
  kind: MediaKind;
  /** Null without a file. */
  name: string | null;
  error: string | undefined;
  isLocked: boolean;
  upload: (file: File) => Promise<void>;
  onRemove: () => void;
}

/** The file of the template's header, which is uploaded to Meta at once. */
function HeaderFileField({ kind, name, error, isLocked, upload, onRemove }: HeaderFileFieldProps) {
  const { t } = useTranslation(['campaigns', 'templates', 'common']);
  const input = useRef<HTMLInputElement>(null);
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState('');
  const take = async (file: File) => {
    setFailure('');
    setBusy(true);
    try {
      await upload(file);
    } catch (caught) {
      setFailure(errorMessage(caught));
    } finally {
      setBusy(false);
    }
  };
  return (
    <chakra.div>
      <chakra.div textStyle="sm" fontWeight="semibold" mb="1.5">
        {t(`common:headerMedia.${kind}`)}
      </chakra.div>
      {name === null ? (
        <Button
          variant="outline"
          icon={<Paperclip size={16} />}
          disabled={isLocked}
          loading={isBusy}
          onClick={() => input.current?.click()}
        >
          {t(`templates:media.attach.${kind}`)}
        </Button>
      ) : (
        <chakra.div
          display="flex"
          alignItems="center"
          gap="2"
          ps="3"
          pe="1.5"
          minH="11"
          borderWidth="1px"
          borderColor="border.strong"
          borderRadius="sm"
        >
          <chakra.span flex="1" minW="0" truncate textStyle="sm" fontWeight="medium">
            {name}
          </chakra.span>
          {!isLocked && (
            <IconButton
              label={t('templates:media.remove', { name })}
              size="sm"
              icon={<X size={16} />}
              onClick={onRemove}
            />
          )}
        </chakra.div>
      )}
      {(failure || error) && (
        <chakra.p role="alert" textStyle="xs" color="status.danger.fg" mt="1.5">
          {failure || error}
        </chakra.p>
      )}
      <chakra.p textStyle="xs" color="fg.muted" mt="1.5">
        {t(`templates:media.rule.${kind}`)} {t('template.fileKept')}
      </chakra.p>
      <chakra.input
        ref={input}
        type="file"
        hidden
        aria-hidden
        tabIndex={-1}
        accept={ACCEPTED[kind]}
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          if (file) void take(file);
          event.target.value = '';
        }}
      />
    </chakra.div>
  );
}
