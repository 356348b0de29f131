import { chakra } from '@chakra-ui/react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ClipboardList, Hourglass, MessagesSquare, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { TextButton } from '@/components/TextButton';
import { Switch } from '@/components/Toggle';
import { useCompanyEvent } from '@/lib/socket';
import { errorMessage } from '@/lib/toast';
import { useReason } from '@/lib/useReason';
import { queueFormsQuery, queueKeys } from '../api';
import type { OptionDraft } from '../drafts';
import type { QueueForm } from '../types';
import { questionsFrom } from './questions';
import type { TreeCommands } from './useTree';

interface AskedTogetherProps {
  node: OptionDraft;
  /** The saved queue; null for a new one. */
  queueId: number | null;
  commands: TreeCommands;
}

/** Whether the questions from a node on are asked in one form; hidden for a question alone. */
export function AskedTogether({ node, queueId, commands }: AskedTogetherProps) {
  const { t } = useTranslation('queueBot');
  const questions = node.asks ? questionsFrom(node) : [];
  if (questions.length < 2) return null;
  const names = questions.map(({ title }) => title.trim() || t('untitled')).join(', ');
  return (
    <chakra.div display="flex" flexDirection="column" gap="2">
      <Switch
        label={t('together.label')}
        checked={node.asksTogether}
        onChange={(asksTogether) => commands.change(node.key, { asksTogether })}
      />
      <chakra.p textStyle="xs" color="fg.muted">
        {t('together.help', { questions: names })}
        {questions.some(({ asks }) => asks === 'phone') && ` ${t('together.phone')}`}
      </chakra.p>
      {node.asksTogether && <Ways node={node} queueId={queueId} />}
    </chakra.div>
  );
}

const ICONS = {
  form: ClipboardList,
  publishing: Hourglass,
  refused: TriangleAlert,
  stopped: TriangleAlert,
  one_by_one: MessagesSquare,
} as const;
const COLORS = {
  form: 'status.live.fg',
  publishing: 'status.waiting.fg',
  refused: 'status.danger.fg',
  stopped: 'status.waiting.fg',
  one_by_one: 'fg.muted',
} as const;

/** How the questions are asked on each number that leads to the queue. */
function Ways({ node, queueId }: Omit<AskedTogetherProps, 'commands'>) {
  const { t } = useTranslation(['queueBot', 'common']);
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    ...queueFormsQuery(queueId ?? 0),
    enabled: queueId !== null,
  });
  useCompanyEvent('whatsapp', () => {
    if (queueId !== null) void client.invalidateQueries({ queryKey: queueKeys.forms(queueId) });
  });
  if (error) {
    return (
      <chakra.p role="alert" textStyle="xs" color="status.danger.fg">
        {errorMessage(error)}{' '}
        <TextButton onClick={() => void refetch()}>{t('common:actions.retry')}</TextButton>
      </chakra.p>
    );
  }
  const own = data?.filter(({ optionId }) => optionId === node.id) ?? [];
  if (queueId !== null && data === undefined) return null;
  if (own.length === 0) {
    return (
      <chakra.p textStyle="xs" color="fg.muted">
        {t('together.whenSaved')}
      </chakra.p>
    );
  }
  return (
    <chakra.ul
      aria-label={t('together.numbers')}
      listStyleType="none"
      display="flex"
      flexDirection="column"
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
    >
      {own.map((form) => (
        <Way key={form.connectionId} form={form} />
      ))}
    </chakra.ul>
  );
}

function Way({ form }: { form: QueueForm }) {
  const { t } = useTranslation('queueBot');
  const reason = useReason();
  const Icon = ICONS[form.state];
  return (
    <chakra.li
      display="flex"
      alignItems="start"
      gap="2"
      px="3"
      py="2"
      textStyle="sm"
      _notFirst={{ borderTopWidth: '1px' }}
    >
      <chakra.span display="flex" flexShrink="0" mt="0.5" color={COLORS[form.state]}>
        <Icon size={16} aria-hidden />
      </chakra.span>
      <chakra.span minW="0" overflowWrap="anywhere">
        <chakra.strong fontWeight="semibold">{form.connectionName}</chakra.strong>
        {': '}
        {t(`together.states.${form.state}`)}
        {form.reason && (
          <chakra.span display="block" textStyle="xs" color="fg.muted">
            {reason(form, form.reason)}
          </chakra.span>
        )}
      </chakra.span>
    </chakra.li>
  );
}
