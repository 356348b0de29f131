import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { useState, type SyntheticEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@/components/Button';
import { ErrorState, Skeleton } from '@/components/States';
import { WorkingHours } from '@/components/WorkingHours';
import { fieldsInWords } from '@/lib/forms';
import { completeHours, hoursErrors, refusedHours, type ScheduleRow } from '@/lib/hours';
import { toast } from '@/lib/toast';
import { useUnsaved } from '@/lib/unsaved';
import { useCurrentUser } from '@/stores/session';
import { hoursQuery, useSaveHours, useSetting } from './api';
import { nameOfZone } from './zones';

/** The working hours of the whole company (rules/companies §5). */
export function Hours() {
  const { t } = useTranslation(['settings', 'common']);
  const { companyId } = useCurrentUser();
  const { data, error, refetch } = useQuery(hoursQuery(companyId));
  if (error && !data)
    return <ErrorState title={t('hours.failed')} error={error} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <chakra.div role="status" aria-label={t('common:loading')}>
        {Array.from({ length: 8 }, (_, row) => (
          <Skeleton key={row} display="block" h="9" mb="3" />
        ))}
      </chakra.div>
    );
  return <HoursForm known={completeHours(data.schedules)} companyId={companyId} />;
}

function HoursForm({ known, companyId }: { known: ScheduleRow[]; companyId: number }) {
  const { t } = useTranslation(['settings', 'common']);
  const zone = useSetting('timeZone');
  /** The edited hours; null while there are no changes. */
  const [draft, setDraft] = useState<ScheduleRow[] | null>(null);
  const save = useSaveHours(companyId);
  const rows = draft ?? known;
  const isDirty = draft !== null && JSON.stringify(draft) !== JSON.stringify(known);
  const refused = refusedHours(fieldsInWords(save.error));
  useUnsaved(isDirty && !save.isPending, 'page');

  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (Object.keys(hoursErrors(rows)).length > 0) return;
    save.mutate(rows, {
      onSuccess: () => {
        setDraft(null);
        toast.success(t('hours.saved'));
      },
      onError: (error) => {
        if (Object.keys(refusedHours(fieldsInWords(error))).length === 0) toast.error(error);
      },
    });
  };

  return (
    <chakra.form noValidate onSubmit={submit}>
      <chakra.p textStyle="sm" color="fg.muted" mb="4" maxW="72ch">
        {t('hours.help', { zone: nameOfZone(zone) })}{' '}
        <chakra.span
          css={{ '& a': { color: 'brand.fg', textDecoration: 'underline' } }}
          whiteSpace="nowrap"
        >
          <Link to="/connections">{t('hours.connections')}</Link>
        </chakra.span>
      </chakra.p>
      <chakra.div borderWidth="1px" borderRadius="md" bg="bg.surface" px="4" py="2">
        <WorkingHours
          value={rows}
          errors={refused}
          onChange={(changed) => {
            save.reset();
            setDraft(changed);
          }}
        />
      </chakra.div>
      <chakra.div
        position="sticky"
        bottom="-5"
        display="flex"
        flexWrap="wrap"
        alignItems="center"
        justifyContent="flex-end"
        gap="2"
        py="4"
        bg="bg.canvas"
      >
        <chakra.span role="status" flex="1" textStyle="sm" color="fg.muted">
          {isDirty ? t('hours.dirty') : ''}
        </chakra.span>
        {isDirty && (
          <Button variant="ghost" disabled={save.isPending} onClick={() => setDraft(null)}>
            {t('common:actions.discard')}
          </Button>
        )}
        <Button type="submit" disabled={!isDirty} loading={save.isPending}>
          {t('hours.save')}
        </Button>
      </chakra.div>
    </chakra.form>
  );
}
