import { chakra } from '@chakra-ui/react';
import {
  Bot,
  Check,
  CheckCheck,
  CircleAlert,
  ContactRound,
  Copy,
  ExternalLink,
  MapPin,
  Pencil,
  Phone,
  Reply,
  SmilePlus,
  Trash2,
} from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { Menu } from '@/components/Menu';
import { formatTime } from '@/lib/format';
import { plainText } from '@/lib/markup';
import { post, useAct, type Message, type MessageBody, type TemplateButton } from './api';
import { HOME } from './Composer';
import { FormAnswer } from './FormAnswer';
import { MessageContent, summary } from './MessageContent';

const EMOJIS = ['👍', '❤️', '😂', '😮', '😢', '🙏'];

interface Props {
  message: Message;
  quoted: Message | undefined;
  reactions: string[];
  onQuote: () => void;
  onReact: (emoji: string) => void;
  onAnswer: (fields: object) => void;
  /** Opens the text in the composer; undefined if messages cannot be edited. */
  onEdit?: (() => void) | undefined;
}

/** A message as the customer sees it: the customer's own ones on the right. */
export function Bubble({ message, quoted, reactions, onQuote, onReact, onAnswer, onEdit }: Props) {
  const { t } = useTranslation('simulator');
  const play = useAct(() => post('/play', { message: message.id }));
  const remove = useAct(() => post('/delete', { message: message.id }));
  const own = message.fromCustomer;
  const changes = own && onEdit && message.type !== 'deleted' && message.type !== 'call';
  return (
    <chakra.article
      data-testid="message"
      data-message-id={message.id}
      data-from={own ? 'customer' : 'business'}
      data-status={message.status}
      aria-label={t(own ? 'fromYou' : 'fromShop')}
      alignSelf={own ? 'flex-end' : 'flex-start'}
      maxW="82%"
      minW="0"
      className="group"
    >
      <chakra.div
        display="flex"
        alignItems="center"
        gap="1"
        flexDirection={own ? 'row-reverse' : 'row'}
      >
        <chakra.div minW="0">
          <chakra.div
            minW="0"
            px="3"
            py="1.5"
            borderRadius="lg"
            borderWidth="1px"
            overflowWrap="anywhere"
            {...(own
              ? { bg: 'bubble.out', borderColor: 'bubble.out.border', borderEndEndRadius: 'xs' }
              : { bg: 'bubble.in', borderColor: 'bubble.in.border', borderEndStartRadius: 'xs' })}
          >
            {message.replyTo && (
              <chakra.div
                mb="1"
                px="2"
                py="1"
                borderStartWidth="3px"
                borderColor="brand.solid"
                borderRadius="xs"
                bg="bg.subtle"
                fontSize="xs"
                color="fg.muted"
                lineClamp="2"
              >
                {quoted ? plainText(summary(quoted, t)) : t('quotedGone')}
              </chakra.div>
            )}
            {!own && message.isElsewhere && (
              <chakra.p display="flex" alignItems="center" gap="1" fontSize="xs" color="fg.muted">
                <Bot size={12} aria-hidden />
                {t('agent.title')}
              </chakra.p>
            )}
            <MessageContent message={message} onPlay={() => play.mutate(undefined)} />
            <chakra.span
              display="flex"
              justifyContent="flex-end"
              alignItems="center"
              gap="1"
              mt="0.5"
              fontSize="xs"
              lineHeight="16px"
              color={own ? 'bubble.out.meta' : 'fg.muted'}
            >
              {(message.body as MessageBody).edited && <span>{t('edited')}</span>}
              {(message.body as MessageBody).category && <span>{t('utility')}</span>}
              {formatTime(message.sentAt)}
              {own ? <Tick status={message.status} /> : <Failure message={message} />}
            </chakra.span>
          </chakra.div>
          {!own && <Answers message={message} onAnswer={onAnswer} />}
        </chakra.div>
        <chakra.div
          display="flex"
          opacity="0"
          _groupHover={{ opacity: 1 }}
          _groupFocusWithin={{ opacity: 1 }}
          css={{ '@media (hover: none)': { opacity: 1 } }}
        >
          <IconButton size="sm" label={t('reply')} icon={<Reply size={16} />} onClick={onQuote} />
          {changes && message.type === 'text' && (
            <IconButton size="sm" label={t('edit')} icon={<Pencil size={16} />} onClick={onEdit} />
          )}
          {changes && (
            <IconButton
              size="sm"
              label={t('delete')}
              icon={<Trash2 size={16} />}
              onClick={() => remove.mutate(undefined)}
            />
          )}
          <Menu
            trigger={
              <Button size="sm" variant="ghost" square aria-label={t('react')}>
                <SmilePlus size={16} />
              </Button>
            }
            groups={[
              {
                entries: [...EMOJIS, ''].map((emoji) => ({
                  id: emoji || 'none',
                  label: emoji || t('noReaction'),
                  onSelect: () => onReact(emoji),
                })),
              },
            ]}
          />
        </chakra.div>
      </chakra.div>
      {reactions.length > 0 && (
        <chakra.span
          display="inline-block"
          mt="-1.5"
          px="1.5"
          bg="bg.raised"
          borderWidth="1px"
          borderRadius="full"
          fontSize="xs"
          data-testid="reactions"
        >
          {reactions.join(' ')}
        </chakra.span>
      )}
    </chakra.article>
  );
}

function Tick({ status }: { status: string }) {
  const { t } = useTranslation('simulator');
  const read = status === 'read';
  return (
    <chakra.span
      role="img"
      aria-label={t(read ? 'readByShop' : 'sent')}
      color={read ? 'tick.read' : 'inherit'}
      display="inline-flex"
    >
      {read ? <CheckCheck size={16} /> : <Check size={16} />}
    </chakra.span>
  );
}

function Failure({ message }: { message: Message }) {
  if (message.status !== 'failed') return null;
  return (
    <chakra.span color="status.danger.fg" display="inline-flex" gap="1">
      <CircleAlert size={14} />
      {message.error}
    </chakra.span>
  );
}

/** The buttons and list rows that the business offers; choosing one sends the answer. */
function Answers({ message, onAnswer }: Pick<Props, 'message' | 'onAnswer'>) {
  const { t } = useTranslation('simulator');
  const { action, shown } = message.body as MessageBody;
  const rows = action?.sections?.flatMap((section) => section.rows ?? []) ?? [];
  const link = action?.parameters?.url;
  const choose = (type: string, choice: { id: string; title: string; description?: string }) =>
    onAnswer({ type, ...choice });
  if (message.type !== 'interactive' && message.type !== 'template') return null;
  return (
    <chakra.div display="grid" gap="1" mt="1">
      {action?.buttons?.map(({ reply }) => (
        <Button
          key={reply.id}
          size="sm"
          variant="outline"
          onClick={() => choose('button_reply', reply)}
        >
          {reply.title}
        </Button>
      ))}
      {rows.length > 0 && (
        <Menu
          placement="bottom-start"
          trigger={
            <Button size="sm" variant="outline">
              {action?.button ?? t('options')}
            </Button>
          }
          groups={(action?.sections ?? []).map(({ title, rows: entries }) => ({
            ...(title && { label: title }),
            entries: (entries ?? []).map((row) => ({
              id: row.id,
              label: row.description ? `${row.title} · ${row.description}` : row.title,
              onSelect: () => choose('list_reply', row),
            })),
          }))}
        />
      )}
      {link && (
        <TemplateAnswer
          button={{ type: 'URL', text: action.parameters?.display_text ?? link, url: link }}
          onAnswer={onAnswer}
        />
      )}
      {action?.name === 'send_location' && (
        <Button
          size="sm"
          variant="outline"
          icon={<MapPin size={16} aria-hidden />}
          onClick={() => onAnswer({ type: 'location', ...HOME })}
        >
          {t('sendLocation')}
        </Button>
      )}
      {action?.name === 'request_contact_info' && (
        <Button
          size="sm"
          variant="outline"
          icon={<ContactRound size={16} aria-hidden />}
          onClick={() => onAnswer({ type: 'share_contact' })}
        >
          {t('shareContact')}
        </Button>
      )}
      {action?.parameters?.flow_cta && shown?.layout && (
        <FormAnswer
          title={shown.title ?? ''}
          button={action.parameters.flow_cta}
          parts={shown.layout.children}
          onSend={(values) => onAnswer({ type: 'form', values })}
        />
      )}
      {shown?.buttons?.map((button) => (
        <TemplateAnswer key={button.text} button={button} onAnswer={onAnswer} />
      ))}
    </chakra.div>
  );
}

/** A template's button: a quick reply answers, a link opens, a code is copied. */
function TemplateAnswer({
  button,
  onAnswer,
}: { button: TemplateButton } & Pick<Props, 'onAnswer'>) {
  const { type, text, url, phone, code, payload = text } = button;
  const href = url ?? (phone && `tel:${phone}`);
  if (href) {
    return (
      <chakra.a
        href={href}
        target="_blank"
        rel="noreferrer"
        display="flex"
        alignItems="center"
        justifyContent="center"
        gap="1.5"
        minH="8"
        px="3"
        borderWidth="1px"
        borderColor="border.strong"
        borderRadius="sm"
        bg="bg.surface"
        textStyle="sm"
        fontWeight="medium"
        color="brand.fg"
      >
        {url ? <ExternalLink size={16} aria-hidden /> : <Phone size={16} aria-hidden />}
        {text}
      </chakra.a>
    );
  }
  if (type === 'COPY_CODE') {
    return (
      <Button
        size="sm"
        variant="outline"
        icon={<Copy size={16} aria-hidden />}
        title={code}
        onClick={() => void navigator.clipboard.writeText(code ?? '')}
      >
        {text}
      </Button>
    );
  }
  return (
    <Button size="sm" variant="outline" onClick={() => onAnswer({ type: 'button', payload, text })}>
      {text}
    </Button>
  );
}
