import { chakra } from '@chakra-ui/react';
import {
  FileText,
  Image,
  MapPin,
  Mic,
  Paperclip,
  Send,
  Square,
  Sticker,
  UserRound,
  X,
} from 'lucide-react';
import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '@/components/Button';
import { IconButton } from '@/components/IconButton';
import { Menu } from '@/components/Menu';
import { toast } from '@/lib/toast';
import { target } from '@/theme/screens';
import { upload, type Message } from './api';
import { summary } from './MessageContent';
import { canRecord, startRecording, type Recording } from './recording';

interface Props {
  /** The message to edit; null while a new one is written. */
  editing: Message | null;
  quoted: Message | null;
  onUnquote: () => void;
  onSend: (fields: object) => Promise<unknown>;
}

const SAMPLE_PHOTOS = ['prato-lascado', 'travessa-azul', 'canecas', 'caixa-entregue'] as const;
export const HOME = {
  latitude: -23.5617,
  longitude: -46.6896,
  name: 'Rua Harmonia, 412',
  address: 'São Paulo',
};
const FRIEND = { name: 'Paula Sampaio', phone: '+55 11 97333-4821' };
const SAMPLE_VOICE = { type: 'voice', sample: 'recado.ogg' };

function kindOf(mime: string): string {
  const [family] = mime.split('/');
  return family === 'image' || family === 'video' || family === 'audio' ? family : 'document';
}

/** The customer's composer: text, files, voice notes, a location and a contact card. */
export function Composer({ editing, quoted, onUnquote, onSend }: Props) {
  const { t } = useTranslation('simulator');
  const [text, setText] = useState(editing ? summary(editing, t) : '');
  const [recording, setRecording] = useState<Recording | null>(null);
  const file = useRef<HTMLInputElement>(null);

  const sendText = () => {
    const body = text.trim();
    if (!body) return;
    setText('');
    void onSend({ type: 'text', body });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      sendText();
    }
  };
  const sendFile = async (chosen: File) => {
    try {
      const media = await upload(chosen, chosen.name);
      await onSend({
        type: kindOf(chosen.type),
        media,
        ...(text.trim() && { caption: text.trim() }),
      });
      setText('');
    } catch {
      toast.warning(t('refused'));
    }
  };
  const record = async () => {
    if (recording) {
      setRecording(null);
      const voice = await recording.stop();
      await onSend({ type: 'voice', media: await upload(voice, 'voz') });
      return;
    }
    // Without a microphone, or without the permission for it, a sample recording is sent.
    const started = canRecord() ? await startRecording() : null;
    if (started) setRecording(started);
    else await onSend(SAMPLE_VOICE);
  };
  return (
    <chakra.footer bg="bg.surface" borderTopWidth="1px" p="2">
      {quoted && (
        <chakra.div
          display="flex"
          alignItems="center"
          gap="2"
          px="2"
          pb="1"
          fontSize="sm"
          color="fg.muted"
        >
          <chakra.span flex="1" truncate>
            {t(editing ? 'editing' : 'replyingTo', { text: summary(quoted, t) })}
          </chakra.span>
          <IconButton
            size="sm"
            label={t(editing ? 'cancelEdit' : 'unquote')}
            icon={<X size={16} />}
            onClick={onUnquote}
          />
        </chakra.div>
      )}
      <chakra.div display="flex" alignItems="flex-end" gap="1">
        <Menu
          placement="top-start"
          trigger={
            <Button variant="ghost" square aria-label={t('attach')}>
              <Paperclip size={20} />
            </Button>
          }
          groups={[
            {
              label: t('samples'),
              entries: SAMPLE_PHOTOS.map((name) => ({
                id: name,
                icon: <Image size={16} />,
                label: t(`photos.${name}`),
                onSelect: () =>
                  void onSend({ type: 'image', sample: `${name}.jpg`, caption: text.trim() }).then(
                    () => setText(''),
                  ),
              })),
            },
            {
              entries: [
                {
                  id: 'file',
                  icon: <Paperclip size={16} />,
                  label: t('file'),
                  onSelect: () => file.current?.click(),
                },
                {
                  id: 'document',
                  icon: <FileText size={16} />,
                  label: t('receipt'),
                  onSelect: () => void onSend({ type: 'document', sample: 'comprovante-pix.pdf' }),
                },
                {
                  id: 'voice',
                  icon: <Mic size={16} />,
                  label: t('sampleVoice'),
                  onSelect: () => void onSend(SAMPLE_VOICE),
                },
                {
                  id: 'sticker',
                  icon: <Sticker size={16} />,
                  label: t('kinds.sticker'),
                  onSelect: () => void onSend({ type: 'sticker', sample: 'obrigada.webp' }),
                },
                {
                  id: 'location',
                  icon: <MapPin size={16} />,
                  label: t('kinds.location'),
                  onSelect: () => void onSend({ type: 'location', ...HOME }),
                },
                {
                  id: 'contact',
                  icon: <UserRound size={16} />,
                  label: t('kinds.contacts'),
                  onSelect: () => void onSend({ type: 'contacts', ...FRIEND }),
                },
                {
                  id: 'unsupported',
                  label: t('kinds.unsupported'),
                  onSelect: () => void onSend({ type: 'unsupported' }),
                },
              ],
            },
          ]}
        />
        <chakra.input
          ref={file}
          type="file"
          display="none"
          data-testid="file"
          aria-label={t('file')}
          onChange={(event) => {
            const chosen = event.target.files?.[0];
            event.target.value = '';
            if (chosen) void sendFile(chosen);
          }}
        />
        <chakra.textarea
          aria-label={t('write')}
          placeholder={t('write')}
          rows={Math.min(5, text.split('\n').length)}
          // The user has just pressed 'edit' on the message.
          autoFocus={!!editing}
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          flex="1"
          minW="0"
          css={target}
          resize="none"
          px="3"
          py="2"
          bg="bg.subtle"
          borderRadius="lg"
          outlineColor="brand.solid"
        />
        {text.trim() ? (
          <IconButton
            variant="solid"
            label={t('send')}
            icon={<Send size={20} />}
            onClick={sendText}
          />
        ) : (
          <IconButton
            variant={recording ? 'danger' : 'ghost'}
            label={t(recording ? 'stopRecording' : 'record')}
            icon={recording ? <Square size={20} /> : <Mic size={20} />}
            onClick={() => void record()}
          />
        )}
      </chakra.div>
    </chakra.footer>
  );
}
