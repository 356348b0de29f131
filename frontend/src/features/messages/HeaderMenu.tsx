import { useQuery } from '@tanstack/react-query';
import {
  AlarmClock,
  ArrowLeftRight,
  Bell,
  CalendarClock,
  ChevronDown,
  ChevronsUp,
  ChevronUp,
  EllipsisVertical,
  Footprints,
  Link,
  ListChecks,
  Minus,
  PanelRight,
  Search,
  Trash2,
  Undo2,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '@/components/IconButton';
import { Menu, type MenuEntry } from '@/components/Menu';
import { PRIORITIES, usePriority, type Priority, type Ticket } from '@/features/tickets/api';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { followsQuery, useFollow } from './api';

/** The page's tools in the header of a conversation; an omitted tool is not offered. */
export interface HeaderTools {
  onSchedule?: () => void;
  /** Puts a live ticket aside; for who may transfer it. */
  onSnooze?: () => void;
  onTransfer?: () => void;
  /** Opens the macros; for who may act on the ticket. */
  onMacros?: () => void;
  /** Tells through whose hands the ticket went; where the company distributes. */
  onHands?: () => void;
  onDelete?: () => void;
  contact?: { isOpen: boolean; onToggle: () => void };
  /** Shown after the chips. */
  tagSelector?: React.ReactNode;
}

const PRIORITY_ICONS: Record<Priority, React.ReactNode> = {
  urgent: <ChevronsUp size={16} />,
  high: <ChevronUp size={16} />,
  normal: <Minus size={16} />,
  low: <ChevronDown size={16} />,
};

interface HeaderMenuProps extends HeaderTools {
  ticket: Ticket;
  /** The user may act on the ticket. */
  mayAct: boolean;
  size: 'md' | 'lg';
  /** Actions that do not fit beside the menu. */
  onReturn?: (() => void) | undefined;
  onSearch?: (() => void) | undefined;
}

/** The options of a ticket (rules/screens §4). */
export function HeaderMenu(props: HeaderMenuProps) {
  const { ticket, size, mayAct, onReturn, onSearch, ...tools } = props;
  const { t } = useTranslation(['messages', 'common', 'inbox']);
  const isMine = ticket.userId === useCurrentUser().id;
  const { mutate: setPriority } = usePriority();
  // The notifications fetch it; until then following once more changes nothing.
  const { data: follows } = useQuery({ ...followsQuery(), enabled: false });
  const isFollowed = follows?.lastingIds.includes(ticket.id) ?? false;
  const follow = useFollow(ticket.id, true);
  const copyLink = () => {
    void navigator.clipboard
      .writeText(`${location.origin}/tickets/${ticket.uuid}`)
      .then(() => toast.success(t('options.linkCopied')), toast.error);
  };
  const entry = (
    id: string,
    icon: React.ReactNode,
    onSelect: (() => void) | undefined,
    rest: Partial<MenuEntry> = {},
  ): MenuEntry[] => (onSelect ? [{ id, icon, label: t(`options.${id}`), onSelect, ...rest }] : []);
  return (
    <Menu
      trigger={
        <IconButton size={size} label={t('options.label')} icon={<EllipsisVertical size={20} />} />
      }
      groups={[
        {
          entries: [
            ...entry('return', <Undo2 size={16} />, onReturn),
            ...entry('search', <Search size={16} />, onSearch),
            ...entry('contact', <PanelRight size={16} />, tools.contact?.onToggle),
          ],
        },
        {
          entries: [
            ...entry('schedule', <CalendarClock size={16} />, tools.onSchedule),
            ...entry('snooze', <AlarmClock size={16} />, tools.onSnooze),
            ...entry('transfer', <ArrowLeftRight size={16} />, tools.onTransfer),
            ...entry('macros', <ListChecks size={16} />, mayAct ? tools.onMacros : undefined),
            ...entry('follow', <Bell size={16} />, () => follow.mutate(!isFollowed), {
              checked: isFollowed,
            }),
            ...entry(isMine ? 'handsMine' : 'hands', <Footprints size={16} />, tools.onHands),
            ...entry('link', <Link size={16} />, copyLink),
          ],
        },
        {
          label: t('inbox:priority.title'),
          entries: mayAct
            ? PRIORITIES.map((priority) => ({
                id: priority,
                icon: PRIORITY_ICONS[priority],
                label: t(`inbox:priority.${priority}`),
                checked: ticket.priority === priority,
                onSelect: () => setPriority({ ticket, priority }),
              }))
            : [],
        },
        {
          entries: entry('delete', <Trash2 size={16} />, tools.onDelete, { danger: true }),
        },
      ]}
    />
  );
}
