import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Ban, CalendarX, FlaskConical, RotateCw, Send } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Controller, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { DateField } from '@/components/DateField';
import { CancelButton, ConfirmDialog, Dialog } from '@/components/Dialog';
import { Field } from '@/components/Field';
import { FileField } from '@/components/FileField';
import { Select } from '@/components/Select';
import { TextInput } from '@/components/TextInput';
import { TimeField } from '@/components/TimeField';
import { fileListOptionsQuery } from '@/features/fileLists/api';
import { dayOf } from '@/lib/dates';
import { toast } from '@/lib/toast';
import { useErrorText } from '@/lib/useErrorText';
import { campaignSettingsQuery } from './api';
import { CampaignPreview } from './CampaignPreview';
import { ChoiceFields } from './ChoiceFields';
import { isStartable } from './editing';
import { MessageTabs } from './MessageTabs';
import { SegmentsDialog } from './SegmentsDialog';
import { StartDialog } from './StartDialog';
import { Standing } from './Standing';
import { NumberLimit } from './NumberLimit';
import { NO_TEMPLATE } from './template';
import { TemplatePart } from './TemplatePart';
import { TestSendDialog } from './TestSendDialog';
import { TurnDialog, type Turn } from './TurnDialog';
import type { Campaign } from './types';
import { useCampaignForm } from './useCampaignForm';

interface CampaignDialogProps {
  /** The current state of the campaign; without it a new one is created. */
  campaign?: Campaign | undefined;
  onClose: () => void;
}

type Over =
  | { dialog: 'start' | 'testSend'; campaign: Campaign }
  | { dialog: 'turn'; turn: Turn; campaign: Campaign }
  | { dialog: 'segments' }
  | { dialog: 'removeFile' };

/**
 * Edits a campaign with its five messages, beside a preview for a recipient (rules/campaigns §1).
 */
export function CampaignDialog({ campaign, onClose }: CampaignDialogProps) {
  const { t } = useTranslation(['campaigns', 'common']);
  const errorText = useErrorText();
  const state = useCampaignForm(campaign);
  const { form, stored, tab, file, canMake, isLocked, isFixed, isDirty, isBusy, choice } = state;
  const { errors } = form.formState;
  const [over, setOver] = useState<Over | null>(null);
  const settings = useQuery(campaignSettingsQuery());
  const own = settings.data?.variables ?? [];
  const fileLists = useQuery(fileListOptionsQuery());
  const [connectionId, messages, confirmation, confirmations] = useWatch({
    control: form.control,
    name: ['connectionId', 'messages', 'confirmation', 'confirmations'],
  });
  const close = () => setOver(null);

  const saveAndClose = async () => {
    if (!(await state.submit())) return;
    toast.success(t('saved'));
    onClose();
  };
  /** The server sends the stored campaign, so unsaved input is saved first. */
  const saveAnd = async (dialog: 'start' | 'testSend') => {
    const current = isDirty || !stored ? await state.submit() : stored;
    if (current) setOver({ dialog, campaign: current });
  };

  const canStart = canMake && (!stored || isStartable(stored));
  /** The fields no longer accept another time. */
  const canUnschedule = isLocked && stored?.status === 'PROGRAMADA';
  const title = !stored ? t('dialog.add') : isLocked ? t('dialog.readOnly') : t('dialog.edit');

  return (
    <>
      <Dialog
        open
        fill
        size="xl"
        onClose={onClose}
        dirty={isDirty}
        title={title}
        onSubmit={(event) => {
          event.preventDefault();
          if (!isLocked) void saveAndClose();
        }}
        footer={
          <>
            {stored?.status === 'EM_ANDAMENTO' && (
              <Button
                variant="outline"
                icon={<Ban size={16} />}
                onClick={() => setOver({ dialog: 'turn', turn: 'cancel', campaign: stored })}
              >
                {t('actions.cancel')}
              </Button>
            )}
            {canUnschedule && (
              <Button
                variant="outline"
                icon={<CalendarX size={16} />}
                onClick={() => setOver({ dialog: 'turn', turn: 'unschedule', campaign: stored })}
              >
                {t('actions.unschedule')}
              </Button>
            )}
            {stored?.status === 'CANCELADA' && canMake && (
              <Button
                variant="outline"
                icon={<RotateCw size={16} />}
                disabled={isDirty}
                onClick={() => setOver({ dialog: 'turn', turn: 'restart', campaign: stored })}
              >
                {t('actions.restart')}
              </Button>
            )}
            {canStart && (
              <Button
                variant="outline"
                icon={<Send size={16} />}
                disabled={isBusy}
                onClick={() => void saveAnd('start')}
              >
                {t('actions.start')}
              </Button>
            )}
            {/* There is no room for three buttons, and the close button does the same. */}
            <CancelButton
              display={{
                base: isLocked && !(canUnschedule && canStart) ? 'inline-flex' : 'none',
                sm: 'inline-flex',
              }}
            >
              {t('common:actions.close')}
            </CancelButton>
            {!isLocked && (
              <Button type="submit" loading={isBusy}>
                {t('common:actions.save')}
              </Button>
            )}
          </>
        }
      >
        <chakra.div
          flex="1"
          minH="0"
          display={{ base: 'block', md: 'grid' }}
          gridTemplateColumns="minmax(0, 1fr) 372px"
          overflowY={{ base: 'auto', md: 'hidden' }}
        >
          <chakra.div
            minW="0"
            overflowY={{ md: 'auto' }}
            px={{ base: '4', sm: '6' }}
            py="4"
            display="flex"
            flexDirection="column"
            gap="5"
          >
            {stored && <Standing campaign={stored} />}
            <Field label={t('fields.name')} required error={errorText(errors.name?.message)}>
              <TextInput
                autoFocus={!stored}
                autoComplete="off"
                disabled={isLocked}
                {...form.register('name')}
              />
            </Field>
            <ChoiceFields
              form={form}
              isLocked={isLocked}
              isFixed={isFixed}
              onSegments={() => setOver({ dialog: 'segments' })}
            />
            {state.isOfficial && <NumberLimit connectionId={Number(connectionId)} />}
            <chakra.fieldset>
              <chakra.legend textStyle="sm" fontWeight="semibold" mb="1.5">
                {t('fields.schedule')}
              </chakra.legend>
              <chakra.div
                display="grid"
                gap="4"
                gridTemplateColumns={{
                  base: 'minmax(0, 1fr) 120px',
                  sm: 'repeat(2, minmax(0, 1fr))',
                }}
              >
                <Field label={t('fields.date')} error={errorText(errors.date?.message)}>
                  <Controller
                    control={form.control}
                    name="date"
                    // Each is required with the other: an error of either ends with a change of both.
                    rules={{ deps: 'time' }}
                    render={({ field }) => (
                      <DateField {...field} min={dayOf(new Date())} readOnly={isFixed} />
                    )}
                  />
                </Field>
                <Field label={t('fields.time')} error={errorText(errors.time?.message)}>
                  <Controller
                    control={form.control}
                    name="time"
                    rules={{ deps: 'date' }}
                    render={({ field }) => <TimeField {...field} readOnly={isFixed} />}
                  />
                </Field>
              </chakra.div>
              <chakra.p textStyle="xs" color="fg.muted" mt="1.5">
                {t('fields.scheduleHelp')}
              </chakra.p>
            </chakra.fieldset>
            <MessageTabs form={form} own={own} isLocked={isLocked} tab={tab} onTab={state.setTab} />
            <FileField
              file={file}
              readOnly={isLocked}
              progress={state.progress}
              onChange={(chosen) => {
                if (chosen) state.setFile(chosen);
                else if (file?.file) state.dropFile();
                else setOver({ dialog: 'removeFile' });
              }}
            />
            <Field
              label={t('fields.fileList')}
              help={t('fields.fileListHelp')}
              error={errorText(errors.fileListId?.message)}
            >
              <Controller
                control={form.control}
                name="fileListId"
                render={({ field }) => (
                  <Select
                    {...field}
                    placeholder={t('fields.none.fileListId')}
                    disabled={isLocked}
                    options={
                      fileLists.data?.map(({ id, name }) => ({ value: String(id), label: name })) ??
                      []
                    }
                  />
                )}
              />
            </Field>
            {state.isOfficial && (
              <TemplatePart
                connectionId={Number(connectionId)}
                templates={state.templates}
                isFailed={state.areTemplatesFailed}
                choice={choice}
                onChange={state.setChoice}
                missing={state.missing}
                own={own}
                isLocked={isLocked}
              />
            )}
          </chakra.div>
          <chakra.aside
            minW="0"
            overflowY={{ md: 'auto' }}
            px={{ base: '4', sm: '6' }}
            py="4"
            bg="bg.thread"
            borderStartWidth={{ md: '1px' }}
            borderTopWidth={{ base: '1px', md: '0' }}
            borderColor="border.subtle"
            display="flex"
            flexDirection="column"
            gap="5"
          >
            <CampaignPreview
              storedId={stored && !isDirty ? stored.id : null}
              number={tab + 1}
              message={messages[tab] ?? ''}
              confirmation={confirmation ? (confirmations[tab] ?? '') : null}
              file={file}
              choice={state.isOfficial ? choice : NO_TEMPLATE}
              own={own}
              now={state.sendsAt}
            />
            {!isLocked && (
              <Button
                variant="outline"
                icon={<FlaskConical size={16} />}
                disabled={isBusy}
                onClick={() => void saveAnd('testSend')}
              >
                {t('actions.trial')}
              </Button>
            )}
          </chakra.aside>
        </chakra.div>
      </Dialog>
      <Suspense>
        {over?.dialog === 'start' && (
          <StartDialog campaign={over.campaign} onClose={close} onStarted={onClose} />
        )}
      </Suspense>
      {over?.dialog === 'testSend' && <TestSendDialog campaign={over.campaign} onClose={close} />}
      {over?.dialog === 'turn' && (
        <TurnDialog turn={over.turn} campaign={over.campaign} onClose={close} onDone={onClose} />
      )}
      {over?.dialog === 'segments' && <SegmentsDialog onClose={close} />}
      <ConfirmDialog
        open={over?.dialog === 'removeFile'}
        onClose={close}
        onConfirm={() => {
          close();
          void state.takeFileAway();
        }}
        title={t('removeFile.title', { name: file?.name })}
        confirmLabel={t('common:actions.delete')}
      >
        {t('removeFile.text')}
      </ConfirmDialog>
    </>
  );
}
