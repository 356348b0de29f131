import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { ChosenFile } from '@/components/FileField';
import { connectionsQuery } from '@/features/connections/api';
import { templatesQuery } from '@/features/templates/api';
import { ApiError } from '@/lib/api/errors';
import { clockOf, dayOf, momentOf } from '@/lib/dates';
import { showRefusal } from '@/lib/forms';
import { canMakeCampaigns } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { removeMedia, uploadMedia, useSaveCampaign } from './api';
import { isEditable, isSavable, wallClock } from './editing';
import {
  campaignSchema,
  FIELD_NAMES,
  isPast,
  tabOf,
  textFields,
  valuesOf,
  type CampaignValues,
} from './schemas';
import {
  missingIn,
  NO_TEMPLATE,
  storedChoice,
  templateFields,
  type TemplateChoice,
} from './template';
import type { Campaign, CampaignInput } from './types';
import { mediaOfCampaign } from './media';
import { useTimeZone } from './useTimeZone';

const idOf = (text: string) => (text ? Number(text) : null);

/** A campaign's form: its values, whether it can be edited, and the calls that store it. */
export function useCampaignForm(given: Campaign | undefined) {
  const { t } = useTranslation('campaigns');
  const timeZone = useTimeZone();
  const [now] = useState(() => new Date());
  /** The campaign at opening, or as saved since. */
  const [saved, setSaved] = useState(given);
  // Later states of the campaign come from outside.
  const stored =
    given && saved && given.id === saved.id && given.updatedAt >= saved.updatedAt ? given : saved;
  const form = useForm<CampaignValues>({
    resolver: zodResolver(campaignSchema),
    defaultValues: valuesOf(given),
  });
  const [connectionId, date, time] = useWatch({
    control: form.control,
    name: ['connectionId', 'date', 'time'],
  });
  const [tab, setTab] = useState(0);
  const [file, setFile] = useState<ChosenFile | null>(() => mediaOfCampaign(given));
  const [progress, setProgress] = useState<number | null>(null);
  const [isBusy, setBusy] = useState(false);
  /** Null while it is unchanged. */
  const [changedChoice, setChangedChoice] = useState<TemplateChoice | null>(null);
  const [missing, setMissing] = useState<string[]>([]);
  const save = useSaveCampaign();

  const canMake = canMakeCampaigns(useCurrentUser());
  const isLocked = stored !== undefined && (!canMake || !isSavable(stored, now));
  const isFixed = stored !== undefined && !isEditable(stored, now);
  const connections = useQuery(connectionsQuery());
  const isOfficial =
    connections.data?.find(({ id }) => String(id) === connectionId)?.provider === 'official';
  const templates = useQuery({
    ...templatesQuery(Number(connectionId)),
    enabled: isOfficial,
  });
  const storedTemplate = templates.data?.find(
    ({ name, language }) => name === saved?.templateName && language === saved.templateLanguage,
  );
  const choice =
    changedChoice ??
    (storedTemplate ? storedChoice(storedTemplate, saved?.templateComponents) : NO_TEMPLATE);

  const start = saved?.scheduledAt ? new Date(saved.scheduledAt) : null;
  const sendsAt = momentOf(date, time) ?? now;
  const isDirty =
    !isLocked && (form.formState.isDirty || changedChoice !== null || file?.file !== undefined);

  /**
   * Converts the values to the wire's fields; returns null if something must be corrected first.
   */
  const inputOf = (values: CampaignValues): CampaignInput | null => {
    const moment = momentOf(values.date, values.time);
    // The form shows only minutes: an unchanged time keeps its seconds.
    const isKept = start !== null && values.date === dayOf(start) && values.time === clockOf(start);
    if (moment && !isKept && isPast(moment)) {
      form.setError('date', { message: 'errors:ERR_CAMPAIGN_TIME_PASSED' }, { shouldFocus: true });
      return null;
    }
    const used = isOfficial ? choice : NO_TEMPLATE;
    const wanted = missingIn(used);
    setMissing(wanted);
    if (wanted.length > 0) return null;
    return {
      name: values.name.trim(),
      confirmation: values.confirmation,
      ...textFields(values),
      whatsappId: idOf(values.connectionId),
      fileListId: idOf(values.fileListId),
      // If the templates failed to load, the stored template stays.
      ...((changedChoice !== null || !isOfficial || templates.data) && templateFields(used)),
      ...(!isFixed && {
        contactListId: idOf(values.contactListId),
        tagListId: idOf(values.tagListId),
        segmentId: idOf(values.segmentId),
        ...(!isKept && { scheduledAt: moment ? wallClock(moment, timeZone) : null }),
      }),
    };
  };

  /** Stores fields and file, and the time last, because a scheduled campaign must be complete. */
  const store = async (fields: CampaignInput): Promise<Campaign> => {
    if (!file?.file) return save.mutateAsync({ id: saved?.id, fields });
    const first = saved ?? (await save.mutateAsync({ fields: { ...fields, scheduledAt: null } }));
    setSaved(first);
    const withFile = await uploadMedia(first.id, file.file, setProgress);
    setFile(mediaOfCampaign(withFile));
    return saved || fields.scheduledAt ? save.mutateAsync({ id: first.id, fields }) : withFile;
  };

  /** Saves; returns the stored campaign, or undefined if something must be corrected. */
  const submit = async (): Promise<Campaign | undefined> => {
    let answer: Campaign | undefined;
    await form.handleSubmit(
      async (values) => {
        const fields = inputOf(values);
        if (!fields) return;
        setBusy(true);
        try {
          answer = await store(fields);
          setSaved(answer);
          setChangedChoice(null);
          form.reset(valuesOf(answer));
        } catch (error) {
          showRefusal(form, error, { names: FIELD_NAMES });
          showTab(error);
        } finally {
          setBusy(false);
          setProgress(null);
        }
      },
      ({ messages, confirmations }) => {
        const wrong = [messages, confirmations]
          .flatMap((list) => (Array.isArray(list) ? [list.findIndex(Boolean)] : []))
          .find((index) => index >= 0);
        if (wrong !== undefined) setTab(wrong);
      },
    )();
    return answer;
  };

  const showTab = (error: unknown) => {
    if (!(error instanceof ApiError)) return;
    const place = Object.keys(error.fields)
      .map(tabOf)
      .find((each) => each !== undefined);
    if (place !== undefined) setTab(place);
  };

  const takeFileAway = async () => {
    if (!saved) return;
    try {
      const changed = await removeMedia(saved.id);
      setSaved(changed);
      setFile(null);
      toast.success(t('mediaDeleted'));
    } catch (error) {
      toast.error(error);
    }
  };

  return {
    form,
    stored,
    tab,
    setTab,
    file,
    setFile,
    /** Drops a new file and restores the stored one. */
    dropFile: () => setFile(mediaOfCampaign(saved)),
    progress,
    isBusy,
    isDirty,
    canMake,
    isLocked,
    isFixed,
    isOfficial,
    templates: templates.data ?? [],
    areTemplatesFailed: templates.isError,
    choice,
    setChoice: (next: TemplateChoice) => {
      setChangedChoice(next);
      setMissing([]);
    },
    missing,
    sendsAt,
    submit,
    takeFileAway,
  };
}
