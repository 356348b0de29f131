import { chakra } from '@chakra-ui/react';
import {
  BotMessageSquare,
  CheckCheck,
  Clock,
  RotateCcw,
  RotateCw,
  SendHorizontal,
} from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Trans, useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { DateTimeField } from '@/components/DateTimeField';
import type { ChosenFile } from '@/components/FileField';
import { IconButton } from '@/components/IconButton';
import { TextInput } from '@/components/TextInput';
import { formatCount, formatTime } from '@/lib/format';
import { errorMessage } from '@/lib/toast';
import { BotBubble, EffectLine } from '../BotBubble';
import type { QueueDraft } from '../drafts';
import { fileOf } from '../files';
import type { TestEffect, TestMessage } from './api';
import { FormInChat } from './FormInChat';
import { useTestChat, type Entry } from './useTestChat';

interface TestChatProps {
  /** The form of the queue. */
  form: UseFormReturn<QueueDraft>;
  /** The id of the saved queue; null for a new one. */
  queueId: number | null;
  /** Called with the key of the contact's current node. */
  onNode: (key: string | null) => void;
}

/** A test conversation with the bot of the unsaved queue; nothing reaches a contact. */
export function TestChat(props: TestChatProps) {
  const { t } = useTranslation(['queueBot', 'common']);
  const test = useTestChat(props);
  const [typed, setTyped] = useState('');
  const log = useRef<HTMLDivElement>(null);
  const last = test.entries.at(-1);
  useEffect(() => {
    log.current?.scrollTo({ top: log.current.scrollHeight });
  }, [last?.id, test.busy, test.failed]);

  const send = () => {
    if (test.send(typed)) setTyped('');
  };
  // Only the options of the last message can be pressed.
  const asked = test.entries.findLast(({ kind }) => kind === 'bot')?.id;

  return (
    <chakra.section
      aria-label={t('chat.title')}
      display="flex"
      flexDirection="column"
      flex="1"
      minH="0"
      minW="0"
      bg="bg.thread"
    >
      <chakra.header
        display="flex"
        alignItems="center"
        gap="2"
        minH="12"
        px="4"
        borderBottomWidth="1px"
        bg="bg.surface"
      >
        <BotMessageSquare size={20} aria-hidden />
        <chakra.h3 flex="1" textStyle="sm" fontWeight="semibold">
          {t('chat.title')}
        </chakra.h3>
        <Button
          size="sm"
          variant="ghost"
          icon={<RotateCcw size={16} />}
          onClick={() => test.start()}
        >
          {t('chat.restart')}
        </Button>
      </chakra.header>
      <When moment={test.moment} onChange={test.changeMoment} />
      {test.hasChanged && (
        <chakra.div
          role="status"
          display="flex"
          alignItems="center"
          gap="2"
          px="4"
          py="1"
          bg="status.waiting.subtle"
          color="status.waiting.fg"
          textStyle="xs"
        >
          <chakra.span flex="1">{t('chat.changed')}</chakra.span>
          <Button size="sm" variant="ghost" color="inherit" onClick={() => test.start()}>
            {t('chat.restart')}
          </Button>
        </chakra.div>
      )}
      <chakra.div
        ref={log}
        role="log"
        aria-label={t('chat.log')}
        aria-busy={test.busy}
        tabIndex={0}
        flex="1"
        minH="0"
        overflowY="auto"
        display="flex"
        flexDirection="column"
        gap="2"
        p="4"
        outline="none"
        _focusVisible={{ boxShadow: 'inset 0 0 0 2px var(--chakra-colors-brand-fg)' }}
      >
        {!test.hasBegun && (
          <chakra.div m="auto" textAlign="center" maxW="32ch">
            <chakra.p textStyle="sm" color="fg.muted" mb="3">
              {t('chat.empty')}
            </chakra.p>
            <Button size="sm" variant="outline" onClick={() => test.start()}>
              {t('chat.start')}
            </Button>
          </chakra.div>
        )}
        {test.entries.map((entry, index) => (
          <EntryView
            key={entry.id}
            entry={entry}
            first={test.entries[index - 1]?.kind !== entry.kind}
            canPress={entry.id === asked && !test.busy}
            onPress={test.send}
            onFill={(text, values, start) => test.send(text, undefined, { first: start, values })}
            fileAt={(key) => fileOf(props.form.getValues().options, key)}
          />
        ))}
        {test.busy && <Typing label={t('chat.typing')} />}
        {test.failed && (
          <chakra.div role="alert" alignSelf="center" textAlign="center" maxW="36ch">
            <chakra.p textStyle="xs" color="status.danger.fg" mb="2">
              {t('chat.failed', { reason: errorMessage(test.failed.error) })}
            </chakra.p>
            <Button
              size="sm"
              variant="outline"
              icon={<RotateCw size={16} />}
              onClick={() => test.retry()}
            >
              {t('common:actions.retry')}
            </Button>
          </chakra.div>
        )}
      </chakra.div>
      <chakra.div px="4" pb="4" pt="1">
        <TextInput
          aria-label={t('chat.placeholder')}
          placeholder={t('chat.placeholder')}
          autoComplete="off"
          maxLength={4096}
          value={typed}
          disabled={!test.hasBegun}
          onChange={(event) => setTyped(event.target.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
            // Enter would submit the form of the surrounding dialog.
            event.preventDefault();
            send();
          }}
          end={
            <IconButton
              size="sm"
              color="brand.fg"
              me="-1"
              icon={<SendHorizontal size={20} />}
              label={t('chat.send')}
              disabled={!typed.trim() || !test.canSend}
              onClick={send}
            />
          }
        />
      </chakra.div>
    </chakra.section>
  );
}

interface WhenProps {
  moment: Date | null;
  onChange: (moment: Date | null) => void;
}

/** The time of the contact's message: now, or a time for testing the working hours. */
function When({ moment, onChange }: WhenProps) {
  const { t } = useTranslation('queueBot');
  return (
    <chakra.div
      display="flex"
      alignItems="center"
      gap="2"
      px="4"
      minH="10"
      py="1"
      textStyle="xs"
      color="fg.muted"
      borderBottomWidth="1px"
    >
      <Clock size={16} aria-hidden />
      {moment === null ? (
        <>
          <chakra.span flex="1">{t('chat.now')}</chakra.span>
          <Button size="sm" variant="ghost" onClick={() => onChange(new Date())}>
            {t('chat.choose')}
          </Button>
        </>
      ) : (
        <>
          <DateTimeField size="sm" label={t('chat.moment')} start={moment} onChange={onChange} />
          <Button size="sm" variant="ghost" onClick={() => onChange(null)}>
            {t('chat.now')}
          </Button>
        </>
      )}
    </chakra.div>
  );
}

interface EntryViewProps {
  entry: Entry;
  /** The previous message, if any, has another sender. */
  first: boolean;
  canPress: boolean;
  onPress: (title: string, id: string) => void;
  onFill: (text: string, values: Record<string, string>, first: string) => void;
  fileAt: (key: string) => ChosenFile | null;
}

function EntryView({ entry, first, canPress, onPress, onFill, fileAt }: EntryViewProps) {
  const { t } = useTranslation('queueBot');
  const time = formatTime(entry.at);
  switch (entry.kind) {
    case 'mine':
      return (
        <BotBubble
          mine
          first={first}
          text={entry.text}
          meta={
            <>
              {time}
              <chakra.span display="flex" color="tick.read">
                <CheckCheck size={16} aria-hidden />
              </chakra.span>
            </>
          }
        />
      );
    case 'bot':
      return (
        <>
          <BotBubble
            first={first}
            text={entry.message.body}
            meta={time}
            file={entry.message.mediaName ? fileAt(entry.message.fileOf) : null}
          />
          <Choices message={entry.message} disabled={!canPress} onPress={onPress} />
          {entry.message.form && (
            <FormInChat form={entry.message.form} disabled={!canPress} onSend={onFill} />
          )}
        </>
      );
    case 'effect':
      return <EffectView effect={entry.effect} />;
    case 'silence':
      return (
        <chakra.p alignSelf="center" textStyle="xs" color="fg.muted">
          {t('chat.silent')}
        </chakra.p>
      );
  }
}

interface ChoicesProps {
  message: TestMessage;
  disabled: boolean;
  onPress: (title: string, id: string) => void;
}

/** The native buttons of a menu, or the rows of its list. */
function Choices({ message, disabled, onPress }: ChoicesProps) {
  const { t } = useTranslation('queueBot');
  if (message.choices.length === 0) return null;
  return (
    <chakra.div
      role="group"
      aria-label={t(message.asList ? 'chat.showList' : 'chat.choices')}
      alignSelf="flex-start"
      w="88%"
      display="flex"
      flexDirection="column"
      gap={message.asList ? '0' : '1'}
      {...(message.asList && {
        borderWidth: '1px',
        borderColor: 'bubble.in.border',
        borderRadius: 'lg',
        bg: 'bubble.in',
        overflow: 'hidden',
      })}
    >
      {message.choices.map(({ id, title }) => (
        <Button
          key={id}
          size="sm"
          variant={message.asList ? 'ghost' : 'outline'}
          color="brand.fg"
          disabled={disabled}
          whiteSpace="normal"
          h="auto"
          minH="8"
          py="1"
          {...(message.asList && {
            justifyContent: 'flex-start',
            textAlign: 'start',
            borderRadius: '0',
            _notFirst: { borderTopColor: 'border.subtle' },
          })}
          onClick={() => onPress(title, id)}
        >
          {title}
        </Button>
      ))}
    </chakra.div>
  );
}

const REASONS = ['leaf', 'limit', 'handed_over', 'no_options', 'ended'] as const;

/** The ways in which a conversation enters a queue that nobody chose. */
const WAYS = new Map([
  ['single', 'queueSingle'],
  ['fallback', 'queueFallback'],
  ['closed', 'queueClosed'],
] as const) as ReadonlyMap<string | undefined, 'queueSingle' | 'queueFallback' | 'queueClosed'>;

function EffectView({ effect }: { effect: TestEffect }) {
  const { t } = useTranslation('queueBot');
  const { kind, name = '', value = '' } = effect;
  const own = effect.reason === 'email' ? 'email' : 'name';
  const reason = REASONS.find((each) => each === effect.reason) ?? 'other';
  return (
    <EffectLine kind={kind}>
      {kind === 'queue' || kind === 'left' ? (
        <QueueEffect effect={effect} />
      ) : (
        t(`effects.${kind === 'person' ? reason : kind}`, {
          name: kind === 'value' && !name ? t(`asks.own.${own}`) : name,
          value,
        })
      )}
    </EffectLine>
  );
}

/** The destination of the conversation, and the contact's message about it. */
function QueueEffect({ effect }: { effect: TestEffect }) {
  const { t } = useTranslation('queueBot');
  const { kind, reason, queueName = '', value = '', minutes = 0 } = effect;
  const lost = reason === 'handed_over' ? 'leftHandedOver' : 'left';
  return (
    <>
      <Trans
        t={t}
        i18nKey={`effects.${kind === 'left' ? lost : (WAYS.get(reason) ?? 'queue')}`}
        values={{ queue: queueName, minutes: formatCount(minutes) }}
        components={{ b: <strong /> }}
      />
      {kind === 'left' && value && (
        <chakra.span display="block" mt="1" whiteSpace="pre-wrap" overflowWrap="anywhere">
          {t('effects.leftText', { text: value })}
        </chakra.span>
      )}
    </>
  );
}

function Typing({ label }: { label: string }) {
  return (
    <chakra.div
      aria-label={label}
      role="img"
      alignSelf="flex-start"
      display="flex"
      gap="1"
      px="3"
      py="2.5"
      borderWidth="1px"
      borderColor="bubble.in.border"
      borderRadius="lg"
      borderTopStartRadius="xs"
      bg="bubble.in"
    >
      {[0, 1, 2].map((dot) => (
        <chakra.span
          key={dot}
          w="1.5"
          h="1.5"
          borderRadius="full"
          bg="fg.subtle"
          animation="pulse 1s ease-in-out infinite"
          style={{ animationDelay: `${dot * 160}ms` }}
        />
      ))}
    </chakra.div>
  );
}
