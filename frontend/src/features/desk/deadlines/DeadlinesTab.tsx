import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { Pencil, Plus, Timer, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { Button } from '@/components/Button';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { IconButton } from '@/components/IconButton';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { Switch } from '@/components/Toggle';
import { useSaveSetting, useSetting } from '@/features/settings/api';
import { toast } from '@/lib/toast';
import { policiesQuery, useDeletePolicy } from './api';
import { PolicyDialog } from './PolicyDialog';
import type { SlaPolicy } from './types';
import { useWords } from './useWords';

/** The company's times for answers, as sentences (rules/desk §8). */
export function DeadlinesTab() {
  // With the texts of the dialog: else the page goes while they come.
  const { t } = useTranslation(['deadlines', 'rehearsals']);
  const policies = useQuery(policiesQuery());
  // A policy to edit, 'new' for another one.
  const [edited, setEdited] = useState<SlaPolicy | 'new' | null>(null);
  const [leaving, setLeaving] = useState<SlaPolicy | null>(null);
  const remove = useDeletePolicy();
  const { scope } = useWords();
  const add = (
    <Button icon={<Plus size={16} />} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  );
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      <Head />
      {policies.error && !policies.data ? (
        <ErrorState error={policies.error} onRetry={() => void policies.refetch()} />
      ) : !policies.data ? (
        <SkeletonRows rows={3} />
      ) : policies.data.length === 0 ? (
        <EmptyState
          icon={<Timer size={20} />}
          title={t('empty.title')}
          text={t('empty.text')}
          action={add}
        />
      ) : (
        <>
          <chakra.ul listStyleType="none" m="0" p="0" display="flex" flexDirection="column" gap="3">
            {policies.data.map((policy) => (
              <PolicyCard
                key={policy.id}
                policy={policy}
                onEdit={() => setEdited(policy)}
                onDelete={() => setLeaving(policy)}
              />
            ))}
          </chakra.ul>
          <chakra.div>{add}</chakra.div>
        </>
      )}
      {edited && (
        <PolicyDialog
          key={edited === 'new' ? 'new' : edited.id}
          policy={edited === 'new' ? null : edited}
          taken={policies.data ?? []}
          onClose={() => setEdited(null)}
        />
      )}
      {leaving && (
        <ConfirmDelete
          title={t('delete.title', { name: scope(leaving) })}
          id={leaving.id}
          remove={remove}
          done={t('delete.done')}
          onClose={() => setLeaving(null)}
        >
          {t('delete.text')}
        </ConfirmDelete>
      )}
    </chakra.div>
  );
}

/** The switch, and in whose hours time counts. */
function Head() {
  const { t } = useTranslation('deadlines');
  const isOn = useSetting('sla') === 'enabled';
  const hours = useSetting('scheduleType');
  const save = useSaveSetting('sla');
  const counts = hours === 'company' || hours === 'queue' ? hours : 'always';
  return (
    <chakra.div
      display="flex"
      flexDirection="column"
      gap="2"
      p="4"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
    >
      <Switch
        label={t('switch')}
        checked={isOn}
        disabled={save.isPending}
        onChange={(on) =>
          save.mutate(on ? 'enabled' : 'disabled', { onError: (error) => toast.error(error) })
        }
      />
      <chakra.p textStyle="sm" color="fg.muted" maxW="72ch">
        {t('help')} {t(`counts.${counts}`)}{' '}
        <chakra.span css={{ '& a': { color: 'brand.fg', textDecoration: 'underline' } }}>
          <Link to={counts === 'company' ? '/settings?tab=hours' : '/settings'}>
            {t('counts.change')}
          </Link>
        </chakra.span>
      </chakra.p>
    </chakra.div>
  );
}

interface CardProps {
  policy: SlaPolicy;
  onEdit: () => void;
  onDelete: () => void;
}

function PolicyCard({ policy, onEdit, onDelete }: CardProps) {
  const { t } = useTranslation('deadlines');
  const { scope, times, step } = useWords();
  const name = scope(policy);
  return (
    <chakra.li
      display="flex"
      alignItems="flex-start"
      gap="2"
      p="4"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
    >
      <chakra.div flex="1" minW="0" display="flex" flexDirection="column" gap="1.5">
        <chakra.h3 textStyle="md" fontWeight="semibold" overflowWrap="anywhere">
          {name}
        </chakra.h3>
        {times(policy).map((sentence) => (
          <chakra.p key={sentence} textStyle="sm">
            {sentence}
          </chakra.p>
        ))}
        {policy.steps.length > 0 && (
          <chakra.ul listStyleType="disc" ps="5" m="0" textStyle="sm" color="fg.muted">
            {policy.steps.map((each) => (
              <chakra.li key={each.id}>{step(each)}</chakra.li>
            ))}
          </chakra.ul>
        )}
      </chakra.div>
      <IconButton
        size="sm"
        icon={<Pencil size={16} />}
        label={t('edit', { name })}
        onClick={onEdit}
      />
      <IconButton
        size="sm"
        icon={<Trash2 size={16} />}
        label={t('delete.label', { name })}
        onClick={onDelete}
      />
    </chakra.li>
  );
}
