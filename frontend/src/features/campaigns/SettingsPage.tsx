import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Braces, Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { RowName } from '@/components/Cells';
import { ConfirmDialog } from '@/components/Dialog';
import { DataTable, type Column } from '@/components/DataTable';
import { Field } from '@/components/Field';
import { RowActions } from '@/components/RowActions';
import { Select } from '@/components/Select';
import { EmptyState, ErrorState, Skeleton } from '@/components/States';
import { canMakeCampaigns } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useUnsaved } from '@/lib/unsaved';
import { useCurrentUser } from '@/stores/session';
import { campaignSettingsQuery, useSaveCampaignSettings } from './api';
import { useCampaignSettingsEvents } from './events';
import { SendingRules } from './SendingRules';
import { INTERVALS, optionsWith, RANDOM_INTERVALS } from './settings';
import { SettingsCard } from './SettingsCard';
import type { CampaignSettings, OwnVariable } from './types';
import { VariableDialog } from './VariableDialog';

/**
 * The pace and hours of campaigns, the opt-out words, and the company's variables
 * (rules/campaigns §3).
 */
export function SettingsPage() {
  const { t } = useTranslation('campaigns');
  const settings = useQuery(campaignSettingsQuery());
  useCampaignSettingsEvents();
  return (
    <chakra.div
      // Keeps the hidden inputs of switches at their position instead of in the whole document.
      position="relative"
      flex="1"
      minH="0"
      overflowY="auto"
      display="flex"
      flexDirection="column"
      gap="6"
      p={{ base: '4', sm: '6' }}
      bg="bg.canvas"
    >
      {settings.data ? (
        <>
          <Intervals settings={settings.data} />
          <SendingRules />
          <Variables variables={settings.data.variables} />
        </>
      ) : settings.error ? (
        <ErrorState error={settings.error} onRetry={() => void settings.refetch()} />
      ) : (
        <chakra.div role="status" aria-label={t('common:loading')} display="grid" gap="4">
          <Skeleton display="block" h="32" />
          <Skeleton display="block" h="48" />
        </chakra.div>
      )}
    </chakra.div>
  );
}

const NAMES = ['messageInterval', 'longerIntervalAfter', 'greaterInterval'] as const;
type Name = (typeof NAMES)[number];

function Intervals({ settings }: { settings: CampaignSettings }) {
  const { t } = useTranslation('campaigns');
  /** Unsaved choices. */
  const [chosen, setChosen] = useState<Partial<Record<Name, number>>>({});
  const save = useSaveCampaignSettings();
  const canMake = canMakeCampaigns(useCurrentUser());
  const isDirty = NAMES.some((name) => (chosen[name] ?? settings[name]) !== settings[name]);
  useUnsaved(isDirty, 'page');
  return (
    <SettingsCard aria-labelledby="campaign-intervals">
      <chakra.div>
        <chakra.h2 id="campaign-intervals" textStyle="md" fontWeight="semibold">
          {t('settings.intervals')}
        </chakra.h2>
        <chakra.p textStyle="sm" color="fg.muted">
          {t('settings.intervalsText')}
        </chakra.p>
      </chakra.div>
      <chakra.form
        display="grid"
        gap="4"
        alignItems="end"
        gridTemplateColumns={{ base: '1fr', md: 'repeat(3, minmax(0, 1fr)) auto' }}
        onSubmit={(event) => {
          event.preventDefault();
          save.mutate(chosen, {
            onSuccess: () => {
              setChosen({});
              toast.success(t('settings.saved'));
            },
            onError: toast.error,
          });
        }}
      >
        {NAMES.map((name) => (
          <Field key={name} label={t(`settings.${name}`)}>
            <Select
              disabled={!canMake}
              value={String(chosen[name] ?? settings[name])}
              onChange={(event) => setChosen({ ...chosen, [name]: Number(event.target.value) })}
              options={optionsWith(
                name === 'messageInterval' ? RANDOM_INTERVALS : INTERVALS,
                settings[name],
              ).map((value) => ({
                value: String(value),
                label:
                  value === 0
                    ? t(`settings.zero.${name}`)
                    : name === 'longerIntervalAfter'
                      ? t('settings.messages', { count: value })
                      : t('settings.seconds', { count: value }),
              }))}
            />
          </Field>
        ))}
        {canMake && (
          <Button type="submit" loading={save.isPending} disabled={!isDirty}>
            {t('common:actions.save')}
          </Button>
        )}
      </chakra.form>
    </SettingsCard>
  );
}

type Open = { dialog: 'add' } | { dialog: 'edit' | 'delete'; row: OwnVariable };

function Variables({ variables }: { variables: readonly OwnVariable[] }) {
  const { t } = useTranslation('campaigns');
  const [open, setOpen] = useState<Open | null>(null);
  const save = useSaveCampaignSettings();
  const close = () => setOpen(null);
  const columns: Column<OwnVariable & { id: string }>[] = [
    {
      id: 'key',
      header: t('settings.shortcut'),
      primary: true,
      width: '35%',
      cell: ({ key }) => <RowName>{`{${key}}`}</RowName>,
    },
    {
      id: 'value',
      header: t('settings.content'),
      narrow: 'line',
      cell: ({ value }) => <chakra.span color="fg.muted">{value}</chakra.span>,
    },
  ];
  const canMake = canMakeCampaigns(useCurrentUser());
  const add = canMake && (
    <Button variant="outline" icon={<Plus size={16} />} onClick={() => setOpen({ dialog: 'add' })}>
      {t('settings.addVariable')}
    </Button>
  );
  const remove = (row: OwnVariable) =>
    save.mutate(
      { variables: variables.filter(({ key }) => key !== row.key) },
      {
        onSuccess: () => toast.success(t('settings.variableDeleted')),
        onError: toast.error,
        onSettled: close,
      },
    );
  return (
    <SettingsCard aria-labelledby="campaign-variables">
      <chakra.div display="flex" gap="4" alignItems="flex-start" flexWrap="wrap">
        <chakra.div flex="1" minW="60">
          <chakra.h2 id="campaign-variables" textStyle="md" fontWeight="semibold">
            {t('settings.variables')}
          </chakra.h2>
          <chakra.p textStyle="sm" color="fg.muted">
            {t('settings.variablesText')}
          </chakra.p>
        </chakra.div>
        {variables.length > 0 && add}
      </chakra.div>
      <DataTable
        label={t('settings.variables')}
        columns={columns}
        rows={variables.map((each) => ({ ...each, id: each.key }))}
        query={{ error: null, refetch: () => Promise.resolve() }}
        {...(canMake && {
          onRowClick: (row: OwnVariable) => setOpen({ dialog: 'edit', row }),
        })}
        empty={
          <EmptyState icon={<Braces size={20} />} title={t('settings.noVariables')} action={add} />
        }
        {...(canMake && {
          actions: (row: OwnVariable) => (
            <RowActions
              name={row.key}
              editLabel={t('editOne', { name: row.key })}
              onEdit={() => setOpen({ dialog: 'edit', row })}
              deleteLabel={t('deleteOne', { name: row.key })}
              onDelete={() => setOpen({ dialog: 'delete', row })}
            />
          ),
        })}
      />
      {open?.dialog === 'add' && <VariableDialog variables={variables} onClose={close} />}
      {open?.dialog === 'edit' && (
        <VariableDialog stored={open.row} variables={variables} onClose={close} />
      )}
      {open?.dialog === 'delete' && (
        <ConfirmDialog
          open
          onClose={close}
          title={t('delete.title', { name: `{${open.row.key}}` })}
          confirmLabel={t('common:actions.delete')}
          loading={save.isPending}
          onConfirm={() => remove(open.row)}
        >
          {t('settings.deleteVariable')}
        </ConfirmDialog>
      )}
    </SettingsCard>
  );
}
