import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { ArrowDown, ArrowUp, History, Pencil, Plus, Split, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { ConfirmDelete } from '@/components/ConfirmDelete';
import { IconButton } from '@/components/IconButton';
import { EmptyState, ErrorState, SkeletonRows } from '@/components/States';
import { Switch } from '@/components/Toggle';
import { useSaveSetting, useSetting } from '@/features/settings/api';
import { formatDateTime } from '@/lib/format';
import { may } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { rulesQuery, useDeleteRule, useOrderRules, useSwitchRule } from './calls';
import { namesOf } from './form';
import { RuleDialog } from './RuleDialog';
import { RunsDialog } from './RunsDialog';
import type { Rule } from './types';
import { useWords } from './useWords';

/** The company's rules as sentences, in the order in which they run (rules/desk §12). */
export function RulesTab() {
  // With the texts of the dialog: else the page goes while they come.
  const { t } = useTranslation(['rules', 'rehearsals']);
  const rules = useQuery(rulesQuery());
  // A rule to edit, 'new' for another one.
  const [edited, setEdited] = useState<Rule | 'new' | null>(null);
  const [leaving, setLeaving] = useState<Rule | null>(null);
  const [shown, setShown] = useState<Rule | null>(null);
  const remove = useDeleteRule();
  const order = useOrderRules();
  const known = rules.data ?? [];
  const { sentence } = useWords(namesOf(known));
  const nameOf = (rule: Rule) => rule.name || sentence(rule);
  const move = (index: number, by: 1 | -1) => {
    if (order.isPending) return;
    const ids = known.map(({ id }) => id);
    ids.splice(index + by, 0, ...ids.splice(index, 1));
    order.mutate(ids, { onError: toast.error });
  };
  const add = (
    <Button icon={<Plus size={16} />} onClick={() => setEdited('new')}>
      {t('add')}
    </Button>
  );
  return (
    <chakra.div display="flex" flexDirection="column" gap="4">
      {known.length > 0 && <Head />}
      {rules.error && !rules.data ? (
        <ErrorState error={rules.error} onRetry={() => void rules.refetch()} />
      ) : !rules.data ? (
        <SkeletonRows rows={4} />
      ) : known.length === 0 ? (
        <EmptyState
          icon={<Split size={20} />}
          title={t('empty.title')}
          text={t('empty.text')}
          action={add}
        />
      ) : (
        <>
          <chakra.ol listStyleType="none" m="0" p="0" display="flex" flexDirection="column" gap="3">
            {known.map((rule, index) => (
              <RuleCard
                key={rule.id}
                rule={rule}
                name={nameOf(rule)}
                sentence={sentence(rule)}
                busy={order.isPending}
                onUp={index > 0 ? () => move(index, -1) : undefined}
                onDown={index < known.length - 1 ? () => move(index, 1) : undefined}
                onEdit={() => setEdited(rule)}
                onRuns={() => setShown(rule)}
                onDelete={() => setLeaving(rule)}
              />
            ))}
          </chakra.ol>
          <chakra.div>{add}</chakra.div>
        </>
      )}
      {edited && (
        <RuleDialog
          key={edited === 'new' ? 'new' : edited.id}
          rule={edited === 'new' ? null : edited}
          isFirst={known.length === 0}
          onClose={() => setEdited(null)}
        />
      )}
      {shown && (
        <RunsDialog ruleId={shown.id} name={nameOf(shown)} onClose={() => setShown(null)} />
      )}
      {leaving && (
        <ConfirmDelete
          title={t('delete.title', { name: nameOf(leaving) })}
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

/** The switch of all rules, and how they run. */
function Head() {
  const { t } = useTranslation('rules');
  const isOn = useSetting('rules') === 'enabled';
  const save = useSaveSetting('rules');
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
      {may(useCurrentUser(), 'settings:manage') ? (
        <Switch
          label={t('switch')}
          checked={save.isPending ? save.variables === 'enabled' : isOn}
          onChange={(on) => save.mutate(on ? 'enabled' : 'disabled', { onError: toast.error })}
        />
      ) : (
        !isOn && <chakra.p textStyle="sm">{t('isOff')}</chakra.p>
      )}
      <chakra.p textStyle="sm" color="fg.muted" maxW="72ch">
        {t('help')}
      </chakra.p>
    </chakra.div>
  );
}

interface RuleCardProps {
  rule: Rule;
  name: string;
  sentence: string;
  busy: boolean;
  onUp: (() => void) | undefined;
  onDown: (() => void) | undefined;
  onEdit: () => void;
  onRuns: () => void;
  onDelete: () => void;
}

function RuleCard({ rule, name, sentence, busy, onUp, onDown, ...on }: RuleCardProps) {
  const { t } = useTranslation('rules');
  const change = useSwitchRule();
  return (
    <chakra.li
      display="flex"
      flexDirection={{ base: 'column', sm: 'row' }}
      alignItems="flex-start"
      gap="3"
      p="4"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
    >
      <Switch
        aria-label={t('on', { name })}
        checked={change.isPending ? change.variables.isOn : rule.isOn}
        onChange={(isOn) => change.mutate({ id: rule.id, isOn }, { onError: toast.error })}
      />
      <chakra.div flex="1" minW="0" display="flex" flexDirection="column" gap="1">
        {rule.name && (
          <chakra.h3 textStyle="md" fontWeight="semibold" overflowWrap="anywhere">
            {rule.name}
          </chakra.h3>
        )}
        <chakra.p
          textStyle={rule.name ? 'sm' : 'md'}
          overflowWrap="anywhere"
          {...(!rule.isOn && { color: 'fg.muted' })}
        >
          {sentence}
        </chakra.p>
        {rule.problem && (
          <chakra.p textStyle="sm" color="status.danger.fg">
            {t('problem', { problem: rule.problem })}
          </chakra.p>
        )}
        {rule.startsItself && (
          <chakra.p textStyle="sm" color="status.waiting.fg">
            {t('startsItself')}
          </chakra.p>
        )}
        <chakra.p textStyle="xs" color="fg.muted">
          {rule.lastRunAt
            ? t('ran', { count: rule.runCount, time: formatDateTime(rule.lastRunAt) })
            : t('neverRan')}
        </chakra.p>
      </chakra.div>
      <chakra.div display="flex" flexShrink="0">
        {/* Not `disabled`, nor left out: the pressed one keeps the focus. */}
        <IconButton
          size="sm"
          icon={<ArrowUp size={16} />}
          label={t('up', { name })}
          aria-disabled={busy || !onUp}
          onClick={onUp}
        />
        <IconButton
          size="sm"
          icon={<ArrowDown size={16} />}
          label={t('down', { name })}
          aria-disabled={busy || !onDown}
          onClick={onDown}
        />
        <IconButton
          size="sm"
          icon={<History size={16} />}
          label={t('runs', { name })}
          onClick={on.onRuns}
        />
        <IconButton
          size="sm"
          icon={<Pencil size={16} />}
          label={t('edit', { name })}
          onClick={on.onEdit}
        />
        <IconButton
          size="sm"
          icon={<Trash2 size={16} />}
          label={t('delete.label', { name })}
          onClick={on.onDelete}
        />
      </chakra.div>
    </chakra.li>
  );
}
