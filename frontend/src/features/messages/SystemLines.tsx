import { chakra } from '@chakra-ui/react';
import {
  AlarmClock,
  ArrowLeftRight,
  Bot,
  CheckCheck,
  Clock,
  CornerDownRight,
  LogIn,
  LogOut,
  RotateCcw,
  SignalHigh,
  Smartphone,
  Star,
  StickyNote,
  Undo2,
  UserRoundCheck,
  type LucideIcon,
} from 'lucide-react';
import { Trans, useTranslation } from 'react-i18next';
import { formatDateTime, formatPhone, formatTime } from '@/lib/format';
import { useReason } from '@/lib/useReason';
import { NoteCard, TeamNote } from './notes/NoteCard';
import type { TicketActivity } from './types';

const ACTIVITY_ICONS: Record<TicketActivity['kind'], LucideIcon> = {
  noted: StickyNote,
  prioritized: SignalHigh,
  snoozed: AlarmClock,
  woken: AlarmClock,
  accepted: UserRoundCheck,
  returned: Undo2,
  resolved: CheckCheck,
  reopened: RotateCcw,
  transferred: ArrowLeftRight,
  queued: CornerDownRight,
  bot_ended: Bot,
  rated: Star,
  expired: Clock,
  renumbered: Smartphone,
  control_passed: LogIn,
  control_taken: LogOut,
  took_control: LogIn,
  gave_control: LogOut,
};

const BEST_RATE = 3;

/**
 * Selects the sentence for an activity: the bot's activities name the cause, people's name the
 * person.
 */
export function sentenceOf(activity: TicketActivity): string {
  const { kind, actorName, by, reason, rate } = activity;
  if (kind === 'woken') return `activities.wokenBy.${by === 'due' || by === 'hand' ? by : 'reply'}`;
  if (kind === 'snoozed')
    return `activities.snoozed${activity.until ? 'Until' : 'Reply'}${actorName ? '' : 'Auto'}`;
  if (kind === 'queued') return `activities.queuedBy.${KNOWN_WAYS.has(by ?? '') ? by : 'other'}`;
  if (kind === 'bot_ended')
    return `activities.botEnded.${KNOWN_REASONS.has(reason ?? '') ? reason : 'other'}`;
  if (kind === 'rated') return `activities.rates.${rate}`;
  return `activities.${kind}${actorName ? '' : 'Auto'}`;
}

const KNOWN_WAYS = new Set(
  'menu option keyword timer integration prompt fallback closed late'.split(' '),
);
const KNOWN_REASONS = new Set('leaf limit handed_over failed finished silent phone'.split(' '));

interface ActivityLineProps {
  activity: TicketActivity;
  highlighted?: boolean;
}

/** An activity of the ticket, small among the messages, with the note for the team. */
export function ActivityLine({ activity, highlighted = false }: ActivityLineProps) {
  if (activity.kind === 'noted') return <NoteCard note={activity} highlighted={highlighted} />;
  return (
    <>
      <ActivitySentence activity={activity} />
      {activity.note && <TeamNote note={activity} highlighted={highlighted} />}
    </>
  );
}

function ActivitySentence({ activity }: { activity: TicketActivity }) {
  const { t } = useTranslation(['messages', 'inbox']);
  const Icon = ACTIVITY_ICONS[activity.kind];
  const target = [activity.queueName, activity.userName].filter(Boolean).join(' · ');
  return (
    <chakra.div display="flex" justifyContent="center" py="2" textStyle="xs" color="fg.muted">
      <chakra.span overflowWrap="anywhere" textAlign="center">
        {/* The icon stays beside the first word when the line breaks. */}
        <chakra.span display="inline-flex" verticalAlign="-4px" me="2">
          <Icon size={16} aria-hidden />
        </chakra.span>
        <Trans
          t={t}
          i18nKey={sentenceOf(activity)}
          values={{
            actor: activity.actorName,
            target: target || t('activities.noQueue'),
            number: formatPhone(activity.number ?? ''),
            until: activity.until && formatDateTime(activity.until),
            priority: activity.priority && t(`inbox:priority.${activity.priority}`),
          }}
          components={{
            b: (
              <chakra.strong
                fontWeight="semibold"
                color="fg.default"
                // A phone number does not break across lines.
                {...(activity.kind === 'renumbered' && { whiteSpace: 'nowrap' })}
              />
            ),
          }}
        />
        {activity.closingReason && ` · ${activity.closingReason}`}
        {activity.error && <Cause activity={activity} sentence={activity.error} />}
        {activity.kind === 'rated' && activity.rate !== null && <Stars rate={activity.rate} />}
        <chakra.span fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
          {' · '}
          {formatTime(activity.createdAt)}
        </chakra.span>
      </chakra.span>
    </chakra.div>
  );
}

/** The cause of a failure, after the sentence with its consequence. */
function Cause({ activity, sentence }: { activity: TicketActivity; sentence: string }) {
  const words = useReason()(activity, sentence);
  return words && `: ${words.replace(/\.$/, '')}`;
}

/** A rating of up to three stars; the adjacent text says the same. */
function Stars({ rate }: { rate: number }) {
  return (
    <chakra.span
      aria-hidden
      display="inline-flex"
      gap="0.5"
      ms="1.5"
      verticalAlign="-2px"
      color="status.waiting.fg"
    >
      {Array.from({ length: BEST_RATE }, (_, place) => (
        <Star key={place} size={14} {...(place < rate && { fill: 'currentColor' })} />
      ))}
    </chakra.span>
  );
}
