import { chakra } from '@chakra-ui/react';
import { lazy, Suspense, useEffect, useImperativeHandle, useRef, useState, type Ref } from 'react';
import { useTranslation } from 'react-i18next';
import { ConfirmDialog } from '@/components/Dialog';
import type { QuickMessage } from '@/features/quickMessages/api';
import type { Ticket } from '@/features/tickets/api';
import { useUnsaved } from '@/lib/unsaved';
import { isTouch } from '@/lib/useMedia';
import { fillVariables } from '@/lib/variables';
import { useCurrentUser } from '@/stores/session';
import { AttachmentStrip } from './composer/AttachmentStrip';
import type { StoredFile } from './composer/composition';
import { ComposerBar } from './composer/ComposerBar';
import { Notices } from './composer/Notices';
import { QuickMessagePicker } from './composer/QuickMessagePicker';
import type { RecorderEnd } from './composer/Recorder';
import { MAX_CAPTION, MAX_TEXT, signed, unsigned } from './composer/signing';
import { TextField, type TextFieldHandle } from './composer/TextField';
import { Tools } from './composer/Tools';
import type { Composing } from './composer/useComposition';
import { useQuickMessagePicker } from './composer/useQuickMessagePicker';
import { useSigning } from './composer/useSigning';
import { writeDraft } from './drafts';
import type { OutgoingMenu } from './interactive/form';
import { send } from './outbox';
import type { Message } from './types';
import { variablesOf } from './variables';

const InteractiveDialog = lazy(() => import('./interactive/InteractiveDialog'));
const Recorder = lazy(() => import('./composer/Recorder'));

const isWide = () => window.matchMedia('(min-width: 900px)').matches;

/**
 * For so long after a conversation has opened, Ctrl-Enter resolves nothing unwritten: the second
 * press of a double one was meant for the conversation before.
 */
const SETTLED_MS = 600;

export interface ComposerHandle {
  focus: () => void;
}

interface ComposerProps {
  ref?: Ref<ComposerHandle>;
  ticket: Pick<Ticket, 'id' | 'createdAt' | 'contact' | 'owner' | 'ownerAt' | 'whatsappId'>;
  /**
   * The message being written, from `useComposition`; files dropped elsewhere are added through it.
   */
  composing: Composing;
  replyTo: Message | null;
  onReplyEnd: () => void;
  onSent: () => void;
  /** The message just sent is the last one, or nothing is written: the ticket is to be resolved. */
  onSentLast: () => void;
  /** Arrow up in the empty input; returns whether there is a last message to edit. */
  onEditLast?: () => boolean;
  /** Opens the approved templates; set if the connection supports them. */
  onTemplates?: (() => void) | undefined;
  /** The connection sends buttons, lists and products. */
  canInteract?: boolean;
  /** Sends, or asks first whether to send beside somebody who writes, too; from `useAlone`. */
  whenAlone?: (run: () => void) => void;
  /** A sent message whose text is edited in the input, instead of a new message. */
  editing?: Message | null;
  /** The edit was cancelled. */
  onEditEnd?: () => void;
  /** The new text of the edit; the caller that sets `editing` sends it and clears `editing`. */
  onEdited?: (body: string) => void;
}

/** The composer: the input and its tools. */
export function Composer(props: ComposerProps) {
  const { ref, ticket, composing, replyTo, onReplyEnd, onSent, editing = null } = props;
  const { t } = useTranslation(['messages', 'common']);
  const user = useCurrentUser();
  const field = useRef<TextFieldHandle>(null);
  const [signing, setSigning] = useSigning();
  const [recording, setRecording] = useState(false);
  const [notice, setNotice] = useState('');
  const [asksMenu, setAsksMenu] = useState(false);
  /** The text of an edit; the draft is kept meanwhile. */
  const [edit, setEdit] = useState({ messageId: 0, text: '' });
  if (editing && edit.messageId !== editing.id)
    setEdit({ messageId: editing.id, text: unsigned(editing.body, user.name).text });
  if (!editing && edit.messageId) setEdit({ messageId: 0, text: '' });

  const [asksEdit, setAsksEdit] = useState(false);
  const hasEdit = editing !== null && edit.text !== unsigned(editing.body, user.name).text;
  useUnsaved(hasEdit, 'path');

  const text = editing ? edit.text : composing.shown;
  const write = (value: string) =>
    editing ? setEdit({ messageId: editing.id, text: value }) : composing.write(value);
  const { attachments, selectedId } = composing;
  const hasFiles = !editing && attachments.length > 0;

  const name = signing ? user.name : null;
  const bodies = attachments.map(({ caption }) => signed(caption.trim(), name));
  const body = editing
    ? unsigned(editing.body, user.name).prefix + text.trim()
    : signed(text.trim(), name);
  const excess = hasFiles
    ? Math.max(...bodies.map((each) => each.length)) - MAX_CAPTION
    : body.length - MAX_TEXT;
  const canSend = (text.trim() !== '' || hasFiles) && excess <= 0;

  const shownAt = useRef(0);
  useEffect(() => {
    shownAt.current = performance.now();
  }, []);
  const focus = () => field.current?.focus();
  useImperativeHandle(ref, () => ({ focus }));
  useEffect(() => {
    // On a touch screen the keyboard would cover the conversation that was just opened.
    if (!isTouch()) field.current?.focusEnd();
  }, []);
  const wasRecording = useRef(false);
  useEffect(() => {
    // The recorder has closed and the input is back.
    if (wasRecording.current && !recording) focus();
    wasRecording.current = recording;
  }, [recording]);
  useEffect(() => {
    if (replyTo) focus();
  }, [replyTo]);
  useEffect(() => {
    if (editing) field.current?.focusEnd();
  }, [editing]);
  useEffect(
    () => writeDraft(user.id, ticket.id, { reply: replyTo }),
    [user.id, ticket.id, replyTo],
  );

  const fill = (template: string) => fillVariables(template, variablesOf(ticket, user));
  const chooseQuick = (chosen: QuickMessage) => {
    const filled = fill(chosen.message);
    const { mediaPath, mediaName, mediaMime, mediaSize } = chosen;
    const stored = mediaPath
      ? [
          {
            quickMessageId: chosen.id,
            mediaPath,
            name: mediaName ?? '',
            mime: mediaMime ?? '',
            size: mediaSize ?? 0,
          },
        ]
      : [];
    const whole = field.current?.replaced(filled, quick.search === null) ?? filled;
    composing.addStored(whole, stored);
    setNotice('');
    focus();
  };
  const chooseFileList = (message: string, files: StoredFile[]) => {
    const filled = fill(message);
    composing.addStored(field.current?.replaced(filled, false) ?? filled, files);
    setNotice('');
    focus();
  };
  const quick = useQuickMessagePicker({
    text,
    enabled: !editing && !recording,
    onChoose: chooseQuick,
    onLeave: focus,
  });

  /** Sends only after the user has agreed to take the conversation from another responder. */
  const [asked, setAsked] = useState<(() => void) | null>(null);
  const agreedAt = useRef<string | null>(null);
  const { whenAlone = (run: () => void) => run() } = props;
  const whenOurs = (run: () => void) =>
    whenAlone(() => {
      if (ticket.owner !== 'other' || agreedAt.current === ticket.ownerAt) run();
      else setAsked(() => run);
    });

  const submit = (onDone?: () => void) => {
    if (!canSend) return;
    if (editing) {
      props.onEdited?.(body);
      return;
    }
    whenOurs(() => {
      sendAll();
      onDone?.();
    });
  };

  const sendAll = () => {
    if (hasFiles) {
      // The quote goes with the first message, as on the phone.
      attachments.forEach(({ content }, index) =>
        send({
          ticketId: ticket.id,
          body: bodies[index] ?? '',
          quoted: index === 0 ? replyTo : null,
          ...content,
        }),
      );
    } else {
      send({ ticketId: ticket.id, body, quoted: replyTo, file: null });
    }
    composing.clear();
    setNotice('');
    onReplyEnd();
    onSent();
    focus();
  };

  const sendMenu = (menu: OutgoingMenu) => {
    setAsksMenu(false);
    whenOurs(() => {
      send({ ticketId: ticket.id, body: menu.text, quoted: replyTo, file: null, menu });
      onReplyEnd();
      onSent();
    });
  };

  const submitLast = () => {
    const isEmpty = text.trim() === '' && !hasFiles;
    const isMeant = performance.now() - shownAt.current > SETTLED_MS;
    if (editing || canSend) submit(editing ? undefined : props.onSentLast);
    else if (isEmpty && isMeant) props.onSentLast();
  };
  const editLast = () => !editing && !hasFiles && (props.onEditLast?.() ?? false);

  const onRecorded = (end: RecorderEnd) => {
    setRecording(false);
    if (end?.kind === 'recorded') {
      whenOurs(() => {
        send({ ticketId: ticket.id, body: '', quoted: replyTo, file: end.file });
        onReplyEnd();
        onSent();
      });
    } else if (end?.kind === 'short') setNotice(t('recorder.tooShort'));
    else if (end) setNotice(t(`recorder.${end.reason}`));
  };

  const giveUp = () => {
    if (hasEdit) setAsksEdit(true);
    else if (editing) props.onEditEnd?.();
    else if (replyTo) onReplyEnd();
    else return false;
    return true;
  };

  return (
    <chakra.div position="relative">
      {quick.isOpen && (
        <QuickMessagePicker
          quickMessages={quick.offered}
          fill={fill}
          activeId={quick.activeId}
          onActivate={quick.mark}
          onChoose={quick.choose}
          search={quick.search}
          onKeyDown={quick.onKey}
          onClose={quick.close}
        />
      )}
      <Notices
        notices={[...(notice ? [notice] : []), ...composing.refusals]}
        onClose={() => {
          setNotice('');
          composing.forgetRefusals();
          focus();
        }}
      />
      <chakra.form
        aria-label={t('composer.label')}
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
        bg="bg.surface"
        borderWidth="1px"
        borderColor="border.control"
        borderRadius="lg"
        transition="border-color, box-shadow"
        transitionDuration="fast"
        css={{
          '&:has(textarea:focus-visible)': { borderColor: 'brand.fg', boxShadow: 'focus' },
        }}
      >
        <ComposerBar
          quoted={editing ?? replyTo}
          isEdit={editing !== null}
          onClose={() => {
            giveUp();
            if (!hasEdit) focus();
          }}
        />
        {recording ? (
          <Suspense fallback={<chakra.div h="14" />}>
            <Recorder onEnd={onRecorded} />
          </Suspense>
        ) : (
          <>
            {hasFiles && (
              <AttachmentStrip
                attachments={attachments}
                selectedId={selectedId}
                onSelect={(id) => {
                  composing.select(id);
                  focus();
                }}
                onRemove={(id) => {
                  composing.remove(id);
                  focus();
                }}
              />
            )}
            <TextField
              ref={field}
              text={text}
              onChange={write}
              placeholder={
                hasFiles
                  ? t('composer.caption')
                  : t(isWide() ? 'composer.placeholderWide' : 'composer.placeholder')
              }
              onFiles={editing ? undefined : composing.add}
              onSubmit={submit}
              onSubmitLast={submitLast}
              onEditLast={editLast}
              onKeyFirst={quick.onKey}
              onEscape={giveUp}
              activeOption={quick.search === null ? quick.activeId : null}
            />
            <Tools
              isEdit={editing !== null}
              canSend={canSend}
              excess={excess}
              canRecord={!editing && text === '' && !hasFiles}
              signing={signing}
              onSigning={(checked) => {
                setSigning(checked);
                focus();
              }}
              onEmoji={(emoji) => field.current?.insert(emoji)}
              onFiles={(files) => {
                composing.add(files);
                focus();
              }}
              onQuick={quick.toggle}
              onFileList={chooseFileList}
              onTemplates={props.onTemplates}
              onMenu={props.canInteract ? () => setAsksMenu(true) : undefined}
              onRecord={() => {
                setNotice('');
                composing.forgetRefusals();
                setRecording(true);
              }}
              inputElement={() => field.current?.element() ?? null}
            />
          </>
        )}
      </chakra.form>
      {asksMenu && (
        <Suspense fallback={null}>
          <InteractiveDialog ticket={ticket} onClose={() => setAsksMenu(false)} onSend={sendMenu} />
        </Suspense>
      )}
      <ConfirmDialog
        open={asked !== null}
        onClose={() => {
          setAsked(null);
          focus();
        }}
        onConfirm={() => {
          agreedAt.current = ticket.ownerAt;
          setAsked(null);
          asked?.();
        }}
        title={t('owner.askTitle')}
        confirmLabel={t('owner.askSend')}
        calm
      >
        {t('owner.askText')}
      </ConfirmDialog>
      <ConfirmDialog
        open={asksEdit && hasEdit}
        onClose={() => setAsksEdit(false)}
        onConfirm={() => {
          setAsksEdit(false);
          props.onEditEnd?.();
          focus();
        }}
        title={t('common:dialog.discardTitle')}
        confirmLabel={t('common:actions.discard')}
        cancelLabel={t('common:actions.keepEditing')}
      >
        {t('common:dialog.discardText')}
      </ConfirmDialog>
    </chakra.div>
  );
}
