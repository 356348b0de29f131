import { chakra } from '@chakra-ui/react';
import { useDroppable } from '@dnd-kit/core';
import { useQuery } from '@tanstack/react-query';
import { ChevronDown, Clock, EllipsisVertical, SlidersHorizontal } from 'lucide-react';
import { useId, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { IconButton } from '@/components/IconButton';
import { Menu } from '@/components/Menu';
import { PresenceMark } from '@/components/PresenceMark';
import { QueueChips } from '@/components/QueueChips';
import { EmptyLine, SmallError } from '@/components/Section';
import { SkeletonFields } from '@/components/States';
import { formatCount } from '@/lib/format';
import { may } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { heldQuery } from './calls';
import { usePresenceWords } from './words';
import type { Waited } from './TicketChip';
import type { HeldTicket, PresenceChoice, TeamMember } from './types';

interface MemberRowProps {
  member: TeamMember;
  Waited: Waited;
  isOpen: boolean;
  onToggle: () => void;
  /** A ticket is over the row: it may be dropped, or not. */
  over: 'yes' | 'no' | null;
  onSettings: () => void;
  onTimeline: () => void;
  onPresence: (choice: PresenceChoice) => void;
  chip: (held: HeldTicket) => ReactNode;
}

/** A person of the team: presence, load, the oldest unanswered, today's counts; and the tickets. */
export function MemberRow(props: MemberRowProps) {
  const { member, Waited, isOpen, onToggle, over, chip } = props;
  const { t } = useTranslation(['desk', 'shell']);
  const words = usePresenceWords();
  // Seats and presences of others decide who is given what.
  const mayAssign = may(useCurrentUser(), 'tickets:assign');
  const panel = useId();
  const { setNodeRef } = useDroppable({ id: `place-${member.id}`, data: { place: member.id } });
  const presence = words(member.presence);
  // Why somebody who is online is given nothing.
  const isOff = member.presence.presence === 'online' && !member.withinHours;
  return (
    <chakra.li
      ref={setNodeRef}
      data-place={member.id}
      borderWidth="1px"
      borderRadius="md"
      bg="bg.surface"
      listStyleType="none"
      transition="border-color"
      transitionDuration="fast"
      {...(over === 'yes' && { borderColor: 'brand.fg', bg: 'brand.subtle' })}
      {...(over === 'no' && { borderColor: 'status.danger.border' })}
    >
      <chakra.div
        display="flex"
        flexWrap={{ base: 'wrap', md: 'nowrap' }}
        alignItems="center"
        columnGap="3"
        rowGap="1"
        ps="3"
        pe="2"
        py="2"
        minH="16"
      >
        <Avatar name={member.name} size={36} />
        <chakra.div flex="1" minW="0">
          <chakra.p textStyle="sm" fontWeight="semibold" truncate>
            {member.name}
          </chakra.p>
          <chakra.div display="flex" alignItems="center" columnGap="1.5" minW="0">
            <PresenceMark presence={member.presence.presence} label={presence} words />
            {isOff && (
              <chakra.span flexShrink="0" textStyle="xs" color="status.waiting.fg">
                {t('team.outOfHours')}
              </chakra.span>
            )}
          </chakra.div>
        </chakra.div>
        <chakra.div hideBelow="lg" w={{ lg: '220px', xl: '320px' }} minW="0">
          <QueueChips queues={member.queues} empty={t('team.noQueues')} />
        </chakra.div>
        {/* On narrow screens a line of its own, under the name. */}
        <chakra.div
          display={{ base: 'flex', md: 'contents' }}
          order="1"
          w="full"
          ps="12"
          pe="2"
          flexWrap="wrap"
          alignItems="center"
          justifyContent="space-between"
          columnGap="3"
          rowGap="1"
        >
          <Load member={member} />
          <chakra.div w={{ md: '28' }} textAlign="end" flexShrink="0">
            {member.unansweredSince ? (
              <Waited since={member.unansweredSince} />
            ) : (
              <chakra.span textStyle="xs" color="fg.muted">
                {t('team.answered')}
              </chakra.span>
            )}
          </chakra.div>
          <chakra.p
            w={{ base: 'full', md: '40' }}
            flexShrink="0"
            textStyle="xs"
            color="fg.muted"
            textAlign={{ base: 'start', md: 'end' }}
            fontVariantNumeric="tabular-nums"
          >
            {t('team.today', {
              given: formatCount(member.givenToday),
              resolved: formatCount(member.resolvedToday),
              returned: formatCount(member.returnedToday),
            })}
          </chakra.p>
        </chakra.div>
        <Menu
          trigger={
            <IconButton
              label={t('team.actions', { name: member.name })}
              icon={<EllipsisVertical size={20} />}
            />
          }
          groups={[
            ...(mayAssign
              ? [
                  {
                    label: t('shell:presence.label'),
                    entries: (['online', 'offline'] as const).map((name) => ({
                      id: name,
                      label: t(`shell:presence.${name}`),
                      checked: member.presence.presence === name,
                      onSelect: () => props.onPresence({ presence: name }),
                    })),
                  },
                ]
              : []),
            {
              entries: [
                ...(mayAssign
                  ? [
                      {
                        id: 'seat',
                        label: t('team.settings'),
                        icon: <SlidersHorizontal size={16} />,
                        onSelect: props.onSettings,
                      },
                    ]
                  : []),
                {
                  id: 'timeline',
                  label: t('team.timeline'),
                  icon: <Clock size={16} />,
                  onSelect: props.onTimeline,
                },
              ],
            },
          ]}
        />
        <IconButton
          label={t(isOpen ? 'team.hide' : 'team.show', { name: member.name })}
          aria-expanded={isOpen}
          aria-controls={panel}
          icon={
            <chakra.span
              display="flex"
              transition="transform"
              transitionDuration="fast"
              {...(isOpen && { transform: 'rotate(180deg)' })}
            >
              <ChevronDown size={20} />
            </chakra.span>
          }
          onClick={onToggle}
        />
      </chakra.div>
      {isOpen && (
        <chakra.div id={panel} px="3" pb="3">
          <Tickets userId={member.id} chip={chip} />
        </chakra.div>
      )}
    </chakra.li>
  );
}

/** The load beside the capacity, as a bar and in words. */
function Load({ member: { load, capacity, name } }: { member: TeamMember }) {
  const { t } = useTranslation('desk');
  const share = capacity > 0 ? Math.min(1, load / capacity) : 0;
  const words = capacity
    ? t('team.load', { load: formatCount(load), capacity: formatCount(capacity) })
    : t('team.loadOnly', { count: load, load: formatCount(load) });
  return (
    <chakra.div w="28" flexShrink="0">
      <chakra.p
        textStyle="xs"
        fontVariantNumeric="tabular-nums"
        textAlign={{ base: 'start', md: 'end' }}
      >
        {words}
      </chakra.p>
      {capacity > 0 && (
        <chakra.div
          role="meter"
          aria-label={t('team.loadOf', { name })}
          aria-valuemin={0}
          aria-valuemax={capacity}
          aria-valuenow={Math.min(load, capacity)}
          aria-valuetext={words}
          mt="1"
          h="1.5"
          borderRadius="full"
          bg="bg.subtle"
          overflow="hidden"
        >
          <chakra.div
            h="full"
            borderRadius="full"
            bg={share < 1 ? 'brand.fg' : 'status.waiting.solid'}
            style={{ width: `${share * 100}%` }}
          />
        </chakra.div>
      )}
    </chakra.div>
  );
}

function Tickets({ userId, chip }: { userId: number; chip: (held: HeldTicket) => ReactNode }) {
  const { t } = useTranslation('desk');
  const held = useQuery(heldQuery(userId));
  if (held.isError && !held.data)
    return <SmallError error={held.error} onRetry={() => void held.refetch()} />;
  if (held.isPending) return <SkeletonFields heights={['12', '12']} />;
  if (held.data.length === 0) return <EmptyLine>{t('team.noTickets')}</EmptyLine>;
  return (
    <chakra.div
      display="grid"
      gap="2"
      gridTemplateColumns={{ base: '1fr', md: '1fr 1fr', xl: '1fr 1fr 1fr' }}
    >
      {held.data.map(chip)}
    </chakra.div>
  );
}
