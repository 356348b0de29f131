import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Combobox } from '@/components/Combobox';
import { Field } from '@/components/Field';
import type { ChosenFile } from '@/components/FileField';
import { Marks, PreviewBubble, SAMPLE } from '@/components/MessagePreview';
import { SEARCH_DEBOUNCE_MS } from '@/components/SearchInput';
import { TemplateCard } from '@/components/TemplateCard';
import { contactSearchQuery } from '@/features/contacts/api';
import { filledTemplate } from '@/lib/templates/filling';
import { formatPhone } from '@/lib/format';
import { parseMarkup } from '@/lib/markup';
import { errorMessage } from '@/lib/toast';
import { useDebounced } from '@/lib/useDebounced';
import { variablesFor } from '@/lib/variables';
import { previewQuery } from './api';
import { fillParameter, fillText, valuesFor, type Person } from './filling';
import { storedChoice, type TemplateChoice } from './template';
import type { OwnVariable } from './types';
import { useTimeZone } from './useTimeZone';

interface Reader extends Person {
  id: number;
}

const EXAMPLE: Person = {
  name: SAMPLE.name,
  email: 'mariana@example.com',
  number: '5511984321107',
};

const readerKey = ({ id }: Reader) => String(id);
const readerName = ({ name }: Reader) => name;

interface CampaignPreviewProps {
  /**
   * The id of the stored campaign while the form is unchanged: then the server fills in the texts.
   */
  storedId: number | null;
  /** The number of the shown message, from 1. */
  number: number;
  message: string;
  /** Null without confirmation. */
  confirmation: string | null;
  file: ChosenFile | null;
  choice: TemplateChoice;
  own: readonly OwnVariable[];
  /** The time of sending, on which the greeting depends. */
  now: Date;
}

/** The selected message as a recipient sees it: a chosen contact, or else a sample. */
export function CampaignPreview(props: CampaignPreviewProps) {
  const { storedId, number, message, confirmation, file, choice, own, now } = props;
  const { t } = useTranslation('campaigns');
  const timeZone = useTimeZone();
  const [reader, setReader] = useState<Reader | null>(null);
  const stored = useQuery({
    ...previewQuery(storedId ?? 0, reader?.id ?? null),
    enabled: storedId !== null,
  });
  const told = storedId === null ? undefined : stored.data;

  const person = reader ?? EXAMPLE;
  const values = valuesFor(person, own);
  const common = variablesFor({ ...SAMPLE, name: person.name, now, timeZone });
  const fill = (text: string) => fillText(text, values, common).trim();
  const textOf = (texts: readonly { number: number; text: string }[] | undefined, typed: string) =>
    texts?.find((each) => each.number === number)?.text ?? fill(typed);
  const shownMessage = textOf(told?.messages, message);
  const shownConfirmation = confirmation === null ? '' : textOf(told?.confirmations, confirmation);
  const isEmpty = !shownMessage && !shownConfirmation && !file && !choice.template;
  const templateValues =
    told && choice.template
      ? storedChoice(choice.template, told.templateComponents).values
      : Object.fromEntries(
          Object.entries(choice.values).map(([field, text]) => [
            field,
            fillParameter(text, values),
          ]),
        );

  return (
    <chakra.section
      aria-label={t('preview.label')}
      display="flex"
      flexDirection="column"
      gap="4"
      minW="0"
    >
      <ReaderField value={reader} onChange={setReader} />
      <chakra.div display="flex" flexDirection="column" alignItems="flex-end" gap="3">
        {shownConfirmation && (
          <Part label={t('preview.confirmation')}>
            <PreviewBubble text={shownConfirmation} file={null} />
          </Part>
        )}
        {(shownMessage || file) && (
          <Part label={t('preview.message', { number })}>
            <PreviewBubble text={shownMessage} file={file} />
          </Part>
        )}
        {choice.template && (
          <Part label={t('preview.template')}>
            <chakra.div
              maxW="full"
              px="3"
              py="1.5"
              textStyle="md"
              bg="bubble.out"
              borderWidth="1px"
              borderColor="bubble.out.border"
              borderRadius="lg"
              borderTopEndRadius="xs"
            >
              <TemplateCard
                template={filledTemplate(choice.template, templateValues, choice.file)}
                words={(text) => <Marks nodes={parseMarkup(text)} />}
              />
            </chakra.div>
          </Part>
        )}
        {isEmpty && (
          <chakra.p w="full" py="8" textStyle="sm" color="fg.muted" textAlign="center">
            {t('common:preview.empty')}
          </chakra.p>
        )}
      </chakra.div>
    </chakra.section>
  );
}

function Part({ label, children }: { label: string; children: React.ReactNode }) {
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      alignItems="flex-end"
      gap="1"
      maxW="full"
      minW="0"
    >
      <chakra.span textStyle="xs" color="fg.muted">
        {label}
      </chakra.span>
      {children}
    </chakra.div>
  );
}

function ReaderField(props: { value: Reader | null; onChange: (reader: Reader | null) => void }) {
  const { t } = useTranslation('campaigns');
  const [typed, setTyped] = useState('');
  const search = useDebounced(typed, SEARCH_DEBOUNCE_MS);
  const found = useQuery(contactSearchQuery(search));
  const readers: Reader[] = (found.data?.contacts ?? [])
    .filter(({ number, isGroup }) => number && !isGroup)
    .map(({ id, name, email, number }) => ({ id, name, email, number }));
  return (
    <Field label={t('preview.reader')}>
      <Combobox
        items={readers}
        itemKey={readerKey}
        itemLabel={readerName}
        renderItem={({ name, number }) => (
          <chakra.span display="flex" flexDirection="column">
            <span>{name}</span>
            <chakra.span textStyle="xs" color="fg.muted">
              {formatPhone(number)}
            </chakra.span>
          </chakra.span>
        )}
        value={props.value}
        onChange={props.onChange}
        onSearch={setTyped}
        minCharacters={3}
        loading={typed !== search || found.isFetching}
        error={found.error && errorMessage(found.error)}
        placeholder={t('preview.readerPlaceholder')}
      />
    </Field>
  );
}
