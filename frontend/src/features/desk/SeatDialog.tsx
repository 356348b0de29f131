import { chakra } from '@chakra-ui/react';
import { zodResolver } from '@hookform/resolvers/zod';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Controller, useForm, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { CheckList } from '@/components/CheckList';
import { Field } from '@/components/Field';
import { FormDialog } from '@/components/FormDialog';
import { TextInput } from '@/components/TextInput';
import { Switch } from '@/components/Toggle';
import { WorkingHours } from '@/components/WorkingHours';
import { tagsQuery } from '@/features/tags/api';
import { showRefusal } from '@/lib/forms';
import { completeHours, hoursErrors, type ScheduleRow } from '@/lib/hours';
import { errorMessage, toast } from '@/lib/toast';
import { useSaveSeat } from './calls';
import { limitsOf, seatInput, seatSchema, type SeatForm } from './schemas';
import type { TeamMember } from './types';

interface SeatDialogProps {
  member: TeamMember;
  onClose: () => void;
}

/** What a person can take: capacity, weights, skills and hours (rules/desk §4). */
export function SeatDialog({ member, onClose }: SeatDialogProps) {
  const { t } = useTranslation(['desk', 'common']);
  const tags = useQuery(tagsQuery());
  const save = useSaveSeat(member.id);
  const [schedules, setSchedules] = useState<ScheduleRow[]>(member.schedules);
  const hadHours = member.schedules.length > 0;
  const [hasHours, setHasHours] = useState(hadHours);
  const form = useForm<SeatForm>({
    resolver: zodResolver(seatSchema),
    defaultValues: {
      capacity: String(member.capacity),
      whatsappWeight: String(member.whatsappWeight),
      callWeight: String(member.callWeight),
      skillIds: member.skillIds,
    },
  });
  const { errors, isDirty } = form.formState;
  const capacity = parseInt(useWatch({ control: form.control, name: 'capacity' }), 10);
  const isBelow = capacity > 0 && capacity < member.load;
  const textOf = (message: string | undefined) => {
    const limits = limitsOf(message);
    return limits ? t('invalid.number', limits) : message;
  };

  const submit = form.handleSubmit((values) => {
    const hours = hasHours ? completeHours(schedules) : [];
    if (Object.keys(hoursErrors(hours)).length > 0) return;
    return save.mutateAsync(seatInput(values, hours)).then(
      () => {
        toast.success(t('seat.saved'));
        onClose();
      },
      (error: unknown) => showRefusal(form, error),
    );
  });
  return (
    <FormDialog
      size="lg"
      onClose={onClose}
      dirty={
        (isDirty || schedules !== member.schedules || hasHours !== hadHours) && !save.isSuccess
      }
      title={t('seat.title', { name: member.name })}
      onSubmit={submit}
      submitLabel={t('common:actions.save')}
      busy={save.isPending}
    >
      <chakra.div display="flex" flexDirection="column" gap="4">
        <chakra.div display="grid" gap="4" gridTemplateColumns={{ base: '1fr', sm: '1fr 1fr 1fr' }}>
          <Field
            label={t('seat.capacity')}
            help={
              isBelow
                ? t('seat.belowLoad', { name: member.name, load: member.load, capacity })
                : t('seat.capacityHelp')
            }
            error={textOf(errors.capacity?.message)}
          >
            <TextInput autoFocus inputMode="numeric" {...form.register('capacity')} />
          </Field>
          <Field label={t('seat.whatsappWeight')} error={textOf(errors.whatsappWeight?.message)}>
            <TextInput inputMode="numeric" {...form.register('whatsappWeight')} />
          </Field>
          <Field label={t('seat.callWeight')} error={textOf(errors.callWeight?.message)}>
            <TextInput inputMode="numeric" {...form.register('callWeight')} />
          </Field>
        </chakra.div>
        <Field label={t('seat.skills')} help={t('seat.skillsHelp')}>
          <Controller
            control={form.control}
            name="skillIds"
            render={({ field }) => (
              <CheckList
                options={tags.data}
                error={tags.error && errorMessage(tags.error)}
                value={field.value}
                onChange={field.onChange}
                empty={t('seat.noTags')}
              />
            )}
          />
        </Field>
        <Switch checked={hasHours} onChange={setHasHours} label={t('seat.hours')} />
        {hasHours && <WorkingHours value={schedules} onChange={setSchedules} />}
      </chakra.div>
    </FormDialog>
  );
}
