import { chakra, Drawer } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { CalendarClock, Copy, Merge, MessageSquarePlus, Pencil, X } from 'lucide-react';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { To } from 'react-router';
import { Avatar } from '@/components/Avatar';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { Portal } from '@/components/Portal';
import { Tabs } from '@/components/Tabs';
import type { Ticket } from '@/features/tickets/api';
import { formatPhone, hasNumber } from '@/lib/format';
import { may } from '@/lib/permissions';
import { toast } from '@/lib/toast';
import { useCurrentUser } from '@/stores/session';
import { contactQuery } from '../api';
import { IgnoredLine } from '../IgnoredLine';
import type { Contact } from '../types';
import { Details } from './Details';
import { useDrawerEvents } from './events';
import { Gallery } from './Gallery';
import { PastTickets } from './PastTickets';
import { MergedLines } from './MergedLines';
import type { GalleryMessage } from './types';

const MergeDialog = lazy(() =>
  import('../MergeDialog').then((file) => ({ default: file.MergeDialog })),
);

interface ContactDrawerProps {
  ticket: Ticket;
  /** Part of the page, else an overlay. */
  beside: boolean;
  onClose: () => void;
  onEdit: () => void;
  onSchedule?: (() => void) | undefined;
  /** Omitted while the ticket is active. */
  onNewTicket?: ((contact: Contact) => void) | undefined;
  tags: ReactNode;
  /** The messages scheduled for the contact. */
  schedules?: ReactNode;
  /** What the conversation cost, for those who may know. */
  cost?: ReactNode;
  addressOf: (ticket: Ticket) => To;
  onOpenImage: (images: readonly GalleryMessage[], messageId: number) => void;
}

type Tab = 'details' | 'history' | 'gallery';

/** All about the contact of a conversation (rules/contacts §9). */
export function ContactDrawer(props: ContactDrawerProps) {
  const { t } = useTranslation('contactDrawer');
  const { beside, onClose } = props;
  if (beside)
    return (
      <chakra.aside
        aria-label={t('title')}
        display="flex"
        flexDirection="column"
        flexShrink="0"
        w="320px"
        minH="0"
        borderStartWidth="1px"
        bg="bg.surface"
      >
        <Contents {...props} title={<chakra.h2>{t('title')}</chakra.h2>} />
      </chakra.aside>
    );
  return (
    <Drawer.Root
      open
      onOpenChange={({ open }) => !open && onClose()}
      // A dialog opened from the drawer must not close it.
      onFocusOutside={(event) => event.preventDefault()}
      placement="end"
    >
      <Portal>
        <Drawer.Backdrop />
        <Drawer.Positioner>
          <Drawer.Content w={{ base: 'full', sm: '320px' }} bg="bg.surface">
            <Contents {...props} title={<Drawer.Title>{t('title')}</Drawer.Title>} />
          </Drawer.Content>
        </Drawer.Positioner>
      </Portal>
    </Drawer.Root>
  );
}

function Contents(props: ContactDrawerProps & { title: ReactNode }) {
  const { ticket, title, onClose, onEdit, onSchedule, onNewTicket } = props;
  const { t } = useTranslation(['contactDrawer', 'common']);
  const [tab, setTab] = useState<Tab>('details');
  const [merging, setMerging] = useState<Contact | null>(null);
  const user = useCurrentUser();
  const mayMerge = may(user, 'contacts:delete');
  const mayEdit = may(user, 'contacts:edit');
  // Who may not see the contacts sees what the ticket tells of this one.
  const query = useQuery({
    ...contactQuery(ticket.contactId),
    enabled: may(user, 'contacts:see'),
  });
  useDrawerEvents(ticket.contactId);
  // The ticket contains enough for the first rendering.
  const contact = query.data ?? ticket.contact;
  const isKnown = hasNumber(contact.number);
  const username = query.data?.username;
  const called = !isKnown && username ? `@${username}` : formatPhone(contact.number);
  const number = contact.isGroup ? t('group') : called;
  const copy = () =>
    void navigator.clipboard
      .writeText(isKnown ? contact.number : called)
      .then(() => toast.success(t('copied')), toast.error);
  const panel = (content: ReactNode) => (
    <chakra.div display="flex" flexDirection="column" h="full" overflowY="auto">
      {content}
    </chakra.div>
  );
  return (
    <>
      <chakra.div
        display="flex"
        alignItems="center"
        justifyContent="space-between"
        flexShrink="0"
        h="12"
        ps="5"
        pe="2"
        textStyle="md"
        fontWeight="semibold"
      >
        {title}
        <IconButton
          label={t('common:actions.close')}
          icon={<X size={20} />}
          size="sm"
          onClick={onClose}
        />
      </chakra.div>
      <chakra.div display="flex" gap="4" px="5" pt="2" pb="3" flexShrink="0">
        <Avatar name={contact.name} src={contact.profilePicUrl} size={64} group={contact.isGroup} />
        <chakra.div flex="1" minW="0" alignSelf="center">
          <chakra.p
            textStyle="lg"
            fontWeight="semibold"
            overflowWrap="anywhere"
            css={{
              display: '-webkit-box',
              WebkitLineClamp: 2,
              WebkitBoxOrient: 'vertical',
              overflow: 'hidden',
            }}
            title={contact.name}
          >
            {contact.name}
          </chakra.p>
          <chakra.div display="flex" alignItems="center" color="fg.muted">
            <chakra.span textStyle="sm" fontVariantNumeric="tabular-nums" truncate>
              {number}
            </chakra.span>
            {!contact.isGroup && (
              <IconButton label={t('copy')} icon={<Copy size={16} />} size="sm" onClick={copy} />
            )}
          </chakra.div>
        </chakra.div>
      </chakra.div>
      <chakra.div display="flex" flexWrap="wrap" gap="2" px="5" pb="3" flexShrink="0">
        {mayEdit && (
          <Button variant="outline" size="sm" icon={<Pencil size={16} />} onClick={onEdit}>
            {t('edit')}
          </Button>
        )}
        {onSchedule && (
          <Button
            variant="outline"
            size="sm"
            icon={<CalendarClock size={16} />}
            onClick={onSchedule}
          >
            {t('schedule')}
          </Button>
        )}
        {onNewTicket && query.data && !contact.isGroup && (
          <Button
            variant="outline"
            size="sm"
            icon={<MessageSquarePlus size={16} />}
            onClick={() => onNewTicket(query.data)}
          >
            {t('newTicket')}
          </Button>
        )}
        {mayMerge && query.data && !contact.isGroup && (
          <Button
            variant="outline"
            size="sm"
            icon={<Merge size={16} />}
            onClick={() => setMerging(query.data)}
          >
            {t('merge')}
          </Button>
        )}
      </chakra.div>
      {props.schedules && (
        <chakra.div px="5" flexShrink="0" maxH="48" overflowY="auto">
          {props.schedules}
        </chakra.div>
      )}
      {contact.ignoreMessages && (
        <chakra.div px="5" pb="3" flexShrink="0">
          <IgnoredLine contact={contact} />
        </chakra.div>
      )}
      {may(user, 'contacts:see') && <MergedLines contactId={ticket.contactId} />}
      {merging && (
        <Suspense>
          <MergeDialog contact={merging} onClose={() => setMerging(null)} />
        </Suspense>
      )}
      <chakra.div display="flex" flex="1" minH="0" css={{ '& > *': { minHeight: 0 } }}>
        <Tabs
          aria-label={t('parts')}
          value={tab}
          onChange={setTab}
          inset="5"
          tabs={[
            {
              value: 'details',
              label: t('tabs.details'),
              content: panel(
                <Details
                  query={query}
                  ticket={ticket}
                  tags={props.tags}
                  cost={props.cost}
                  edit={
                    mayEdit && (
                      <Button variant="ghost" size="sm" my="-1" me="-3" onClick={onEdit}>
                        {t('extra.edit')}
                      </Button>
                    )
                  }
                />,
              ),
            },
            {
              value: 'history',
              label: t('tabs.history'),
              content: panel(
                <PastTickets
                  contactId={ticket.contactId}
                  currentId={ticket.id}
                  addressOf={props.addressOf}
                />,
              ),
            },
            {
              value: 'gallery',
              label: t('tabs.gallery'),
              content: panel(
                <Gallery contactId={ticket.contactId} onOpenImage={props.onOpenImage} />,
              ),
            },
          ]}
        />
      </chakra.div>
    </>
  );
}
