import { chakra } from '@chakra-ui/react';
import { useState, type ReactNode } from 'react';
import { Controller } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { Dialog } from '@/components/Dialog';
import { FormFooter } from '@/components/FormFooter';
import { ErrorState, Skeleton } from '@/components/States';
import { Tabs, type Tab } from '@/components/Tabs';
import { WorkingHours } from '@/components/WorkingHours';
import { useSetting } from '@/features/settings/api';
import { useMedia } from '@/lib/useMedia';
import { ConflictDialog } from './ConflictDialog';
import { MessageField } from './MessageField';
import { QueueFields } from './QueueFields';
import type { DraftBody } from './testChat/api';
import { TestChat } from './testChat/TestChat';
import { OptionTree } from './tree/OptionTree';
import { TypebotImport } from './typebot/TypebotImport';
import type { Queue } from './types';
import { useQueueForm, type QueuePart } from './useQueueForm';

interface QueueDialogProps {
  /** The queue to edit; without it a new one is created. */
  id?: number;
  queues: readonly Queue[];
  rehearsal?: BotRehearsal;
  onClose: () => void;
}

/** The button that tries a saved queue's changed bot before it is saved. */
export type BotRehearsal = (tried: {
  queue: { id: number; name: string };
  check: (onRight: (draft: DraftBody) => void) => void;
  onSave: () => void;
}) => ReactNode;

type Part = QueuePart | 'test';

/** Edits a queue with its hours and menu, beside a test conversation. */
export function QueueDialog({ id, queues, rehearsal, onClose }: QueueDialogProps) {
  const { t } = useTranslation(['queues', 'common']);
  const [part, setPart] = useState<Part>('data');
  const [testedKey, setTestedKey] = useState<string | null>(null);
  const hasHours = useSetting('scheduleType') === 'queue';
  const isRated = useSetting('userRating') === 'enabled';
  // On a narrower screen there is no room for the test beside the form.
  const isWide = useMedia('(min-width: 900px)');
  const state = useQueueForm({ id, queues, onSaved: onClose, onWrong: setPart });
  const { form } = state;
  const others = queues.filter((queue) => queue.id !== id);
  const shown = (part === 'hours' && !hasHours) || (part === 'test' && isWide) ? 'data' : part;

  const isReady = !state.isLoading && !state.loadError;
  const tabs: Tab<Part>[] = [
    { value: 'data', label: t('tabs.data') },
    ...(hasHours ? [{ value: 'hours' as const, label: t('tabs.hours') }] : []),
    ...(isWide ? [] : [{ value: 'test' as const, label: t('tabs.test') }]),
  ];

  return (
    <>
      <Dialog
        open
        fill
        size="xl"
        onClose={onClose}
        dirty={state.isDirty}
        title={id === undefined ? t('dialog.add') : t('dialog.edit')}
        onSubmit={(event) => void state.submit(event)}
        footer={
          isReady && (
            <>
              {id !== undefined &&
                rehearsal?.({
                  queue: { id, name: queues.find((queue) => queue.id === id)?.name ?? '' },
                  check: state.check,
                  onSave: () => void state.submit(),
                })}
              <FormFooter submit={t('dialog.submit')} busy={state.isSaving} />
            </>
          )
        }
      >
        {state.loadError ? (
          <ErrorState error={state.loadError} onRetry={state.retry} />
        ) : state.isLoading ? (
          <Loading label={t('common:loading')} />
        ) : (
          <>
            <chakra.div borderBottomWidth="1px" borderColor="border.subtle">
              <Tabs
                tabs={tabs}
                value={shown}
                onChange={setPart}
                aria-label={t('tabs.label')}
                inset="6"
              />
            </chakra.div>
            <chakra.div flex="1" minH="0" display="flex">
              <Pane visible={shown !== 'test'}>
                {/* Both stay mounted, so that open rows and typed text are kept. */}
                {hasHours && (
                  <Section visible={shown === 'hours'}>
                    <Controller
                      control={form.control}
                      name="schedules"
                      render={({ field }) => (
                        <WorkingHours
                          value={field.value}
                          errors={state.hoursErrors}
                          onChange={(rows) => {
                            state.forgetRefusal();
                            field.onChange(rows);
                          }}
                        />
                      )}
                    />
                    <MessageField
                      control={form.control}
                      name="outOfHoursMessage"
                      label={t('fields.outOfHours')}
                      help={t('fields.outOfHoursHelp')}
                    />
                  </Section>
                )}
                <Section visible={shown !== 'hours'}>
                  <QueueFields form={form} others={others} />
                  <Controller
                    control={form.control}
                    name="options"
                    render={({ field }) => (
                      <OptionTree
                        value={field.value}
                        onChange={(options) => {
                          state.forgetRefusal();
                          field.onChange(options);
                        }}
                        queues={queues}
                        currentQueueId={id ?? null}
                        errors={state.optionErrors}
                        testedKey={testedKey}
                        attempt={state.treeAttempt}
                        actions={<TypebotImport form={form} onTaken={state.forgetRefusal} />}
                      />
                    )}
                  />
                  <chakra.div
                    display="grid"
                    gap="4"
                    alignItems="start"
                    gridTemplateColumns={{ base: '1fr', md: isRated ? '1fr 1fr' : '1fr' }}
                  >
                    <MessageField
                      control={form.control}
                      name="completionMessage"
                      label={t('fields.completion')}
                      help={t(isRated ? 'fields.completionRatedHelp' : 'fields.completionHelp')}
                    />
                    {isRated && (
                      <MessageField
                        control={form.control}
                        name="ratingMessage"
                        label={t('fields.rating')}
                        help={t('fields.ratingHelp')}
                      />
                    )}
                  </chakra.div>
                </Section>
              </Pane>
              <chakra.aside
                // Stays mounted, so that the conversation continues after a look at the form.
                display={isWide || shown === 'test' ? 'flex' : 'none'}
                flexDirection="column"
                flex={isWide ? '0 0 372px' : '1'}
                minW="0"
                minH="0"
                borderStartWidth={isWide ? '1px' : '0'}
                borderColor="border.subtle"
                aria-label={t('tabs.test')}
              >
                <TestChat form={form} queueId={id ?? null} onNode={setTestedKey} />
              </chakra.aside>
            </chakra.div>
          </>
        )}
      </Dialog>
      {state.conflict && <ConflictDialog {...state.conflict} />}
    </>
  );
}

function Pane({ visible, children }: { visible: boolean; children: ReactNode }) {
  return (
    <chakra.div
      display={visible ? 'block' : 'none'}
      flex="1"
      minW="0"
      overflowY="auto"
      px={{ base: '4', sm: '6' }}
      py="5"
    >
      {children}
    </chakra.div>
  );
}

function Section({ visible, children }: { visible: boolean; children: ReactNode }) {
  return (
    <chakra.div display={visible ? 'flex' : 'none'} flexDirection="column" gap="5">
      {children}
    </chakra.div>
  );
}

/** The placeholder while the queue loads. */
function Loading({ label }: { label: string }) {
  return (
    <chakra.div flex="1" p="6" display="flex" flexDirection="column" gap="5" aria-busy>
      <chakra.span srOnly role="status">
        {label}
      </chakra.span>
      <Skeleton display="block" h="9" />
      <Skeleton display="block" h="9" />
      <Skeleton display="block" h="20" />
      <Skeleton display="block" h="40" />
    </chakra.div>
  );
}
