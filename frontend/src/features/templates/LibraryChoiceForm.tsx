import { chakra } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { Checkbox } from '@/components/Toggle';
import { fieldsInWords } from '@/lib/forms';
import { errorMessage, toast } from '@/lib/toast';
import { useSubmitChoice } from './api';
import { LIMITS } from './form';
import { choiceOf, emptyChoice, hasVariable, shownLibrary } from './library';
import { PhonePreview } from './PhonePreview';
import type { LibraryTemplate } from './types';

interface LibraryChoiceFormProps {
  connectionId: number;
  template: LibraryTemplate;
  onBack: () => void;
  onClose: () => void;
}

/** Fills in the name, links and telephones of a template of the library, and submits it. */
export function LibraryChoiceForm(props: LibraryChoiceFormProps) {
  const { connectionId, template, onBack, onClose } = props;
  const { t } = useTranslation(['templateLibrary', 'templatesPage', 'common']);
  const [initial] = useState(() => emptyChoice(template));
  const [form, setForm] = useState(initial);
  const [refusals, setRefusals] = useState<Readonly<Record<string, string>>>({});
  const [failure, setFailure] = useState('');
  const fields = useRef<HTMLDivElement>(null);
  const submit = useSubmitChoice(connectionId);
  const change = (changes: Partial<typeof form>) => {
    setForm((before) => ({ ...before, ...changes }));
    setRefusals({});
    setFailure('');
  };
  const changeButton = (place: number, part: Partial<(typeof form.buttons)[number]>) =>
    change({
      buttons: form.buttons.map((each, index) => (index === place ? { ...each, ...part } : each)),
    });

  const onSubmit = () =>
    submit.mutate(choiceOf(template, form), {
      onSuccess: () => {
        toast.success(t('submitted'));
        onClose();
      },
      onError: (error) => {
        const words = Object.entries(fieldsInWords(error)).map(([name, [first = '']]) => [
          name,
          first,
        ]);
        setRefusals(Object.fromEntries(words) as Record<string, string>);
        if (words.length === 0) setFailure(errorMessage(error));
        else
          requestAnimationFrame(() =>
            fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
          );
      },
    });

  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={template.name}
      dirty={form !== initial && !submit.isSuccess}
      onSubmit={onSubmit}
      submitLabel={t('submit')}
      busy={submit.isPending}
      beside={
        failure ? (
          <chakra.p role="alert" flex="1" textStyle="sm" color="status.danger.fg">
            {failure}
          </chakra.p>
        ) : (
          <chakra.span flex="1">
            <Button variant="ghost" disabled={submit.isPending} onClick={onBack}>
              {t('back')}
            </Button>
          </chakra.span>
        )
      }
    >
      <chakra.div
        display="grid"
        gap="6"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 320px' }}
      >
        <chakra.div ref={fields} display="flex" flexDirection="column" gap="4" minW="0">
          <Field
            label={t('templatesPage:fields.name')}
            help={t('templatesPage:fields.nameHelp')}
            error={refusals.name}
            required
          >
            <TextInput
              autoFocus
              autoComplete="off"
              spellCheck={false}
              maxLength={LIMITS.name}
              value={form.name}
              onChange={({ target }) =>
                change({ name: target.value.toLowerCase().replace(/[\s-]+/g, '_') })
              }
            />
          </Field>
          {template.buttons.map(({ type, text, url, phone }, place) => {
            const given = form.buttons[place];
            const error = refusals[`buttons.${place}`];
            if (!given) return null;
            if (type === 'PHONE_NUMBER')
              return (
                <Field key={`${type} ${text}`} label={t('phone', { text })} error={error} required>
                  <TextInput
                    type="tel"
                    autoComplete="off"
                    placeholder={phone}
                    value={given.phone}
                    onChange={({ target }) => changeButton(place, { phone: target.value })}
                  />
                </Field>
              );
            if (type !== 'URL') return null;
            return (
              <chakra.div key={`${type} ${text}`} display="flex" flexDirection="column" gap="3">
                <Field
                  label={t('link', { text })}
                  help={t('linkHelp', { variable: '{{1}}' })}
                  error={error}
                  required
                >
                  <TextInput
                    type="url"
                    autoComplete="off"
                    placeholder={url}
                    value={given.url}
                    onChange={({ target }) => changeButton(place, { url: target.value })}
                  />
                </Field>
                {hasVariable(given.url) && (
                  <Field label={t('example')} required>
                    <TextInput
                      autoComplete="off"
                      value={given.example}
                      onChange={({ target }) => changeButton(place, { example: target.value })}
                    />
                  </Field>
                )}
              </chakra.div>
            );
          })}
          {template.sentences.length > 0 && (
            <chakra.fieldset display="flex" flexDirection="column" gap="2">
              <chakra.legend textStyle="sm" fontWeight="semibold" mb="1.5">
                {t('sentences.title')}
              </chakra.legend>
              {template.sentences.map((name) => (
                <Checkbox
                  key={name}
                  checked={form.sentences.includes(name)}
                  label={t(`sentences.${name}`)}
                  onChange={(checked) =>
                    change({
                      sentences: checked
                        ? [...form.sentences, name]
                        : form.sentences.filter((each) => each !== name),
                    })
                  }
                />
              ))}
              <chakra.p textStyle="xs" color="fg.muted">
                {t('sentences.help')}
              </chakra.p>
            </chakra.fieldset>
          )}
        </chakra.div>
        <PhonePreview template={shownLibrary(template)} />
      </chakra.div>
    </FormDialog>
  );
}
