import { chakra } from '@chakra-ui/react';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { Field } from '@/components/Field';
import { TextInput } from '@/components/TextInput';
import { TimeField } from '@/components/TimeField';
import { Switch } from '@/components/Toggle';
import { useSaveSetting, useSetting } from '@/features/settings/api';
import { fieldsInWords } from '@/lib/forms';
import { canMakeCampaigns } from '@/lib/permissions';
import { errorMessage, toast } from '@/lib/toast';
import { useUnsaved } from '@/lib/unsaved';
import { useErrorText } from '@/lib/useErrorText';
import { useWrongField } from '@/lib/useWrongField';
import { useCurrentUser } from '@/stores/session';
import {
  hoursFaults,
  hoursText,
  OPT_OUT_WORDS,
  readHours,
  wordsFault,
  wordsText,
  type SendingHours,
} from './settings';
import { SettingsCard } from './SettingsCard';

/** The reason why the server refused a setting. */
const refusalOf = (error: unknown) =>
  error ? (fieldsInWords(error).value?.[0] ?? errorMessage(error)) : undefined;

/** The hours in which campaigns send, and the opt-out words (rules/companies §2). */
export function SendingRules() {
  const { t } = useTranslation(['campaigns', 'common']);
  const errorText = useErrorText();
  const stored = {
    hours: useSetting('campaignSendingHours'),
    words: useSetting('optOutWords'),
  };
  const saveHours = useSaveSetting('campaignSendingHours');
  const saveWords = useSaveSetting('optOutWords');
  /** Unsaved changes. */
  const [changedHours, setChangedHours] = useState<SendingHours | null>(null);
  const [changedWords, setChangedWords] = useState<string | null>(null);
  const { form, isTried, attempt } = useWrongField<HTMLFormElement>();
  const canMake = canMakeCampaigns(useCurrentUser());

  const hours = changedHours ?? readHours(stored.hours);
  const words = changedWords ?? stored.words;
  const hasNewHours = hoursText(hours) !== stored.hours;
  const hasNewWords = wordsText(words) !== stored.words;
  useUnsaved(hasNewHours || hasNewWords, 'page');
  const faults = { ...hoursFaults(hours), words: wordsFault(words) };
  const shown = (fault: string | undefined) => (isTried ? errorText(fault) : undefined);
  const refusedHours = refusalOf(saveHours.error);

  const changeHours = (changes: Partial<SendingHours>) => {
    setChangedHours({ ...hours, ...changes });
    saveHours.reset();
  };
  const save = async () => {
    attempt();
    if (faults.opens || faults.closes || faults.words) return;
    const saved = await Promise.allSettled([
      hasNewHours && saveHours.mutateAsync(hoursText(hours)).then(() => setChangedHours(null)),
      hasNewWords && saveWords.mutateAsync(wordsText(words)).then(() => setChangedWords(null)),
    ]);
    // A refusal is shown at its field.
    if (saved.every(({ status }) => status === 'fulfilled')) toast.success(t('settings.saved'));
  };

  return (
    <SettingsCard aria-labelledby="campaign-rules">
      <chakra.div>
        <chakra.h2 id="campaign-rules" textStyle="md" fontWeight="semibold">
          {t('settings.rules')}
        </chakra.h2>
        <chakra.p textStyle="sm" color="fg.muted">
          {t('settings.rulesText')}
        </chakra.p>
      </chakra.div>
      <chakra.form
        ref={form}
        display="flex"
        flexDirection="column"
        gap="4"
        onSubmit={(event: SyntheticEvent) => {
          event.preventDefault();
          void save();
        }}
      >
        <chakra.div display="flex" flexDirection="column" gap="1">
          <Switch
            label={t('settings.hours')}
            aria-describedby="campaign-hours-help"
            checked={hours.isOn}
            onChange={(isOn) => changeHours({ isOn })}
            disabled={!canMake}
          />
          <chakra.p id="campaign-hours-help" textStyle="xs" color="fg.muted">
            {t('settings.hoursHelp')}
          </chakra.p>
        </chakra.div>
        {hours.isOn && (
          <chakra.div
            display="grid"
            gap="4"
            alignItems="start"
            maxW="320px"
            gridTemplateColumns="repeat(2, minmax(0, 1fr))"
          >
            {(['opens', 'closes'] as const).map((name) => (
              <Field key={name} label={t(`settings.${name}`)} error={shown(faults[name])}>
                <TimeField
                  disabled={!canMake}
                  value={hours[name]}
                  onChange={(time) => changeHours({ [name]: time })}
                />
              </Field>
            ))}
          </chakra.div>
        )}
        {refusedHours && (
          <chakra.p role="alert" textStyle="xs" color="status.danger.fg">
            {refusedHours}
          </chakra.p>
        )}
        <Field
          label={t('settings.optOutWords')}
          help={
            wordsText(words)
              ? t('settings.optOutHelp', { words: OPT_OUT_WORDS })
              : t('settings.optOutNone', { words: OPT_OUT_WORDS })
          }
          error={shown(faults.words) ?? refusalOf(saveWords.error)}
        >
          <TextInput
            autoComplete="off"
            disabled={!canMake}
            value={words}
            onChange={(event) => {
              setChangedWords(event.target.value);
              saveWords.reset();
            }}
          />
        </Field>
        {canMake && (
          <Button
            type="submit"
            alignSelf="end"
            loading={saveHours.isPending || saveWords.isPending}
            disabled={!hasNewHours && !hasNewWords}
          >
            {t('common:actions.save')}
          </Button>
        )}
      </chakra.form>
    </SettingsCard>
  );
}
