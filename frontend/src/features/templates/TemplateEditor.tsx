import { chakra } from '@chakra-ui/react';
import { Braces, Plus } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { Menu } from '@/components/Menu';
import { Select } from '@/components/Select';
import { TextArea, TextInput } from '@/components/TextInput';
import { fieldsInWords } from '@/lib/forms';
import { errorMessage, toast } from '@/lib/toast';
import { useSubmitTemplate } from './api';
import { ButtonFields } from './ButtonFields';
import {
  emptyForm,
  faultsOf,
  formOf,
  inOrder,
  inputOf,
  LIMITS,
  MOST,
  newButton,
  nextVariable,
  shownOf,
  variablesOf,
  type HeaderFormat,
  type TemplateForm,
} from './form';
import { HeaderSample } from './HeaderSample';
import { PhonePreview } from './PhonePreview';
import type { ButtonKind, Template } from './types';

const LANGUAGES = ['pt_BR', 'pt_PT', 'en_US', 'en_GB', 'en', 'es', 'es_ES', 'es_AR', 'es_MX'];
const KINDS: readonly ButtonKind[] = ['QUICK_REPLY', 'URL', 'PHONE_NUMBER', 'COPY_CODE'];

interface TemplateEditorProps {
  connectionId: number;
  /** The template to change or, with `isNew`, to copy. */
  template?: Template;
  isNew: boolean;
  onClose: () => void;
}

/** Edits a template beside a phone preview, and submits it for Meta's review. */
export function TemplateEditor({ connectionId, template, isNew, onClose }: TemplateEditorProps) {
  const { t } = useTranslation(['templatesPage', 'templates', 'common', 'reasons']);
  const [initial] = useState<TemplateForm>(() =>
    template ? formOf(template) : emptyForm('pt_BR'),
  );
  const [form, setForm] = useState(initial);
  const [isTried, setTried] = useState(false);
  const [refusals, setRefusals] = useState<Record<string, string>>({});
  const [failure, setFailure] = useState('');
  const body = useRef<HTMLTextAreaElement>(null);
  const fields = useRef<HTMLDivElement>(null);
  const submit = useSubmitTemplate(connectionId, isNew ? undefined : template?.id);
  const faults = isTried ? faultsOf(form) : {};
  const change = (changes: Partial<TemplateForm>) => {
    setForm((before) => ({ ...before, ...changes }));
    setRefusals({});
    setFailure('');
  };
  const errorOf = (field: string) => {
    const fault = faults[field];
    return fault ? t(`faults.${fault.key}`, { limit: fault.limit }) : refusals[field];
  };

  const showFirstError = () =>
    requestAnimationFrame(() =>
      fields.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus(),
    );

  const onSubmit = () => {
    setTried(true);
    setFailure('');
    if (Object.keys(faultsOf(form)).length > 0) {
      showFirstError();
      return;
    }
    submit.mutate(inputOf(form), {
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
        if (words.length > 0) showFirstError();
        else setFailure(errorMessage(error));
      },
    });
  };

  const insertVariable = () => {
    const name = `{{${nextVariable(form.body, form.named)}}}`;
    const at = body.current?.selectionStart ?? form.body.length;
    change({ body: form.body.slice(0, at) + name + form.body.slice(at) });
    requestAnimationFrame(() => {
      body.current?.focus();
      body.current?.setSelectionRange(at + name.length, at + name.length);
    });
  };

  const isApproved = !isNew && template?.status === 'APPROVED';
  const countOf = (kind: ButtonKind) => form.buttons.filter(({ type }) => type === kind).length;
  const languages = [...new Set([...LANGUAGES, form.language])];

  return (
    <FormDialog
      onClose={onClose}
      title={t(isNew ? (template ? 'copyTitle' : 'addTitle') : 'editTitle', {
        name: template?.name,
      })}
      size="xl"
      dirty={form !== initial && !submit.isSuccess}
      onSubmit={onSubmit}
      beside={
        failure && (
          <chakra.p role="alert" flex="1" textStyle="sm" color="status.danger.fg">
            {failure}
          </chakra.p>
        )
      }
      submitLabel={t('submit')}
      busy={submit.isPending}
    >
      <chakra.div
        display="grid"
        gap="6"
        gridTemplateColumns={{ base: 'minmax(0, 1fr)', md: 'minmax(0, 1fr) 360px' }}
      >
        <chakra.div ref={fields} display="flex" flexDirection="column" gap="4" minW="0">
          {!isNew && template?.rejectedReason && (
            <chakra.p
              p="3"
              borderRadius="md"
              bg="status.danger.subtle"
              color="status.danger.fg"
              textStyle="sm"
              overflowWrap="anywhere"
            >
              {t(`rejected.${template.rejectedReason}`, { defaultValue: template.rejectedReason })}
            </chakra.p>
          )}
          <Field
            label={t('fields.name')}
            help={t('fields.nameHelp')}
            error={errorOf('name')}
            required
          >
            <TextInput
              autoFocus
              autoComplete="off"
              spellCheck={false}
              maxLength={LIMITS.name}
              disabled={!isNew}
              value={form.name}
              onChange={(event) =>
                change({ name: event.target.value.toLowerCase().replace(/[\s-]+/g, '_') })
              }
            />
          </Field>
          <chakra.div display="grid" gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr' }}>
            <Field label={t('columns.language')} error={errorOf('language')} required>
              <Select
                disabled={!isNew}
                options={languages.map((code) => ({
                  value: code,
                  label: t(`templates:languages.${code}`, { defaultValue: code }),
                }))}
                value={form.language}
                onChange={(event) => change({ language: event.target.value })}
              />
            </Field>
            <Field label={t('columns.category')} error={errorOf('category')} required>
              <Select
                disabled={isApproved}
                options={(['UTILITY', 'MARKETING'] as const).map((value) => ({
                  value,
                  label: t(`templates:category.${value}`),
                }))}
                value={form.category}
                onChange={(event) =>
                  change({ category: event.target.value as TemplateForm['category'] })
                }
              />
            </Field>
            <Field label={t('fields.header')}>
              <Select
                options={(['', 'TEXT', 'IMAGE', 'VIDEO', 'DOCUMENT'] as const).map((value) => ({
                  value,
                  label: t(`header.${value || 'none'}`),
                }))}
                value={form.headerFormat}
                onChange={(event) =>
                  change({
                    headerFormat: event.target.value as HeaderFormat,
                    handle: '',
                    fileName: '',
                    fileUrl: '',
                  })
                }
              />
            </Field>
            <Field label={t('fields.format')} error={errorOf('parameterFormat')}>
              <Select
                disabled={!isNew}
                options={[
                  { value: '', label: t('format.POSITIONAL', { variable: '{{1}}' }) },
                  { value: 'named', label: t('format.NAMED', { variable: '{{cliente}}' }) },
                ]}
                value={form.named ? 'named' : ''}
                onChange={(event) => change({ named: event.target.value === 'named' })}
              />
            </Field>
          </chakra.div>
          {form.headerFormat === 'TEXT' && (
            <Field label={t('fields.headerText')} error={errorOf('header')} required>
              <TextInput
                autoComplete="off"
                maxLength={LIMITS.header}
                value={form.headerText}
                onChange={(event) => change({ headerText: event.target.value })}
              />
            </Field>
          )}
          {form.headerFormat !== '' && form.headerFormat !== 'TEXT' && (
            <HeaderSample
              key={form.headerFormat}
              isAgain={initial.headerFormat === form.headerFormat && !form.handle}
              connectionId={connectionId}
              format={form.headerFormat}
              name={form.fileName}
              error={errorOf('headerFile')}
              onChange={change}
            />
          )}
          <Field
            label={t('fields.body')}
            help={t('fields.bodyHelp', { count: form.body.length, limit: LIMITS.body })}
            error={errorOf('body')}
            required
            aside={
              <Button
                size="sm"
                variant="ghost"
                icon={<Braces size={16} />}
                onClick={insertVariable}
              >
                {t('addVariable')}
              </Button>
            }
          >
            <TextArea
              ref={body}
              rows={6}
              maxLength={LIMITS.body}
              value={form.body}
              onChange={(event) => change({ body: event.target.value })}
            />
          </Field>
          {variablesOf(form).map((field) => {
            const [place = '', name = ''] = field.split('.');
            return (
              <Field
                key={field}
                label={t(`samples.${place}`, { name: `{{${name}}}` })}
                error={errorOf(`samples.${field}`)}
                required
              >
                <TextInput
                  autoComplete="off"
                  value={form.samples[field] ?? ''}
                  onChange={(event) =>
                    change({ samples: { ...form.samples, [field]: event.target.value } })
                  }
                />
              </Field>
            );
          })}
          <Field label={t('fields.footer')} error={errorOf('footer')}>
            <TextInput
              autoComplete="off"
              maxLength={LIMITS.footer}
              value={form.footer}
              onChange={(event) => change({ footer: event.target.value })}
            />
          </Field>
          <ButtonFields
            buttons={form.buttons}
            errorOf={errorOf}
            onChange={(buttons) => change({ buttons })}
          />
          {form.buttons.length < LIMITS.buttons && (
            <chakra.div>
              <Menu
                placement="bottom-start"
                trigger={
                  <Button variant="outline" size="sm" icon={<Plus size={16} />}>
                    {t('addButton')}
                  </Button>
                }
                groups={[
                  {
                    entries: KINDS.map((kind) => ({
                      id: kind,
                      label: t(`buttons.${kind}`),
                      disabled: countOf(kind) >= MOST[kind],
                      onSelect: () =>
                        change({ buttons: inOrder([...form.buttons, newButton(kind)]) }),
                    })),
                  },
                ]}
              />
            </chakra.div>
          )}
        </chakra.div>
        <PhonePreview template={shownOf(form, t('buttons.codeLabel'))} />
      </chakra.div>
    </FormDialog>
  );
}
