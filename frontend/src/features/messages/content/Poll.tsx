import { chakra } from '@chakra-ui/react';
import { ChartBarBig } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Meta } from '../BubbleTime';
import type { Poll } from '../parse';
import type { Message } from '../types';
import { Small } from './parts';
import { Marked } from './Text';

/** The number of names shown below an option; a group may have a thousand members. */
const MOST_NAMES = 20;

/** A poll with the voters of each option. */
export function PollContent({ message, poll }: { message: Message; poll: Poll }) {
  const { t } = useTranslation('conversation');
  const { pollVotes: votes } = message;
  const quiet = message.fromMe ? 'bubble.out.meta' : 'fg.muted';
  return (
    <chakra.div minW="min(260px, 100%)" data-body>
      <chakra.div display="flex" alignItems="center" gap="1.5" textStyle="xs" color={quiet}>
        <ChartBarBig size={14} aria-hidden />
        {t('poll.label')} · {t(poll.selectable === 1 ? 'poll.one' : 'poll.any')}
      </chakra.div>
      <chakra.div
        textStyle="md"
        fontWeight="semibold"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        mt="0.5"
      >
        <Marked text={poll.name} />
      </chakra.div>
      <chakra.ul listStyleType="none" mt="2" display="flex" flexDirection="column" gap="2">
        {poll.options.map((option, place) => (
          <Option
            key={place}
            title={option}
            names={votes
              .filter(({ options }) => options.includes(place))
              .map(({ fromMe, name }) => name || (fromMe ? t('messages:us') : ''))}
            voters={votes.length}
            quiet={quiet}
          />
        ))}
      </chakra.ul>
      <chakra.div display="flex" alignItems="flex-end" gap="2" mt="1.5">
        <Small color={quiet} mt="0" flex="1">
          {votes.length > 0 ? t('poll.voters', { count: votes.length }) : t('poll.none')}
        </Small>
        <Meta message={message} inset={false} />
      </chakra.div>
    </chakra.div>
  );
}

interface OptionProps {
  title: string;
  /** The names of its voters. */
  names: string[];
  /** The number of voters of the whole poll. */
  voters: number;
  quiet: string;
}

function Option({ title, names, voters, quiet }: OptionProps) {
  const { t } = useTranslation('conversation');
  const shown = names.filter(Boolean).slice(0, MOST_NAMES);
  const rest = names.length - shown.length;
  const who = [...shown, ...(rest > 0 ? [t('poll.more', { count: rest })] : [])].join(', ');
  return (
    <li>
      <chakra.div display="flex" gap="3" justifyContent="space-between">
        <chakra.span overflowWrap="anywhere" minW="0">
          <Marked text={title} />
        </chakra.span>
        <chakra.span fontVariantNumeric="tabular-nums" flexShrink="0">
          {names.length}
          <chakra.span srOnly> {t('poll.votes', { count: names.length })}</chakra.span>
        </chakra.span>
      </chakra.div>
      <chakra.div h="1.5" mt="1" borderRadius="full" bg="brand.fg/15" overflow="hidden" aria-hidden>
        <chakra.div
          h="full"
          borderRadius="full"
          bg="brand.fg"
          transition="width"
          transitionDuration="slow"
          style={{ width: `${(100 * names.length) / Math.max(1, voters)}%` }}
        />
      </chakra.div>
      {who && (
        <Small color={quiet} overflowWrap="anywhere">
          {who}
        </Small>
      )}
    </li>
  );
}
