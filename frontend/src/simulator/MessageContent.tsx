import { chakra } from '@chakra-ui/react';
import type { TFunction } from 'i18next';
import { CircleHelp, FileText, MapPin, Phone, ShoppingBag, UserRound, Video } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Marks } from '@/components/MessagePreview';
import { parseMarkup } from '@/lib/markup';
import type { Card, Message, MessageBody } from './api';

const bodyText = (body: MessageBody['body']) =>
  typeof body === 'string' ? body : (body?.text ?? '');

/** A message's summary in one line, for quotes. */
export function summary({ type, body }: Message, t: TFunction<'simulator'>): string {
  const content = body as MessageBody;
  const answer = content.button_reply ?? content.list_reply;
  return (
    bodyText(content.body) ||
    content.shown?.text ||
    answer?.title ||
    (content.nfm_reply && t('form.answered')) ||
    content.text ||
    content.caption ||
    t(`kinds.${type}`, { defaultValue: type })
  );
}

/** The retailer ids of the products that an interactive message shows. */
function productsOf({ action }: MessageBody): string[] {
  const listed = action?.sections?.flatMap(({ product_items: items }) => items ?? []) ?? [];
  const cover = action?.parameters?.thumbnail_product_retailer_id;
  return [
    ...(action?.product_retailer_id ? [action.product_retailer_id] : []),
    ...listed.map((item) => item.product_retailer_id),
    ...(cover ? [cover] : []),
  ];
}

/** A message's content by its type. */
export function MessageContent({ message, onPlay }: { message: Message; onPlay: () => void }) {
  const { t } = useTranslation('simulator');
  const { type, mediaUrl } = message;
  const content = message.body as MessageBody;
  const caption = content.caption && <Words>{content.caption}</Words>;
  if (type === 'deleted') {
    return (
      <chakra.p fontStyle="italic" color="fg.muted">
        {t('kinds.deleted')}
      </chakra.p>
    );
  }
  if (type === 'text') return <Words>{bodyText(content.body)}</Words>;
  if (type === 'image' || type === 'sticker') {
    return (
      <>
        <chakra.img
          src={mediaUrl ?? undefined}
          alt={content.caption ?? t(`kinds.${type}`)}
          borderRadius="md"
          maxH="64"
          w="auto"
          mx={type === 'sticker' ? '0' : '-1.5'}
          {...(type === 'sticker' && { h: '24' })}
        />
        {caption}
      </>
    );
  }
  if (type === 'video') {
    return (
      <>
        <chakra.video src={mediaUrl ?? undefined} controls preload="metadata" borderRadius="md" />
        {caption}
      </>
    );
  }
  if (type === 'audio') {
    return (
      <chakra.audio
        src={mediaUrl ?? undefined}
        controls
        preload="metadata"
        onPlay={onPlay}
        maxW="full"
        w="64"
        h="10"
        aria-label={t('kinds.audio')}
      />
    );
  }
  if (type === 'document') {
    return (
      <>
        <Line icon={<FileText size={20} />} href={mediaUrl}>
          {content.filename ?? t('kinds.document')}
        </Line>
        {caption}
      </>
    );
  }
  if (type === 'location') {
    const href = `https://maps.google.com/?q=${content.latitude ?? 0},${content.longitude ?? 0}`;
    const place = [content.name, content.address].filter(Boolean).join(', ');
    return (
      <Line icon={<MapPin size={20} />} href={href}>
        {place || t('kinds.location')}
      </Line>
    );
  }
  if (type === 'call') {
    const words = t(content.video ? 'kinds.videoCall' : 'kinds.call');
    return (
      <Line icon={content.video ? <Video size={20} /> : <Phone size={20} />}>
        {`${words} · ${t(`call.states.${content.state ?? 'ended'}`)}`}
      </Line>
    );
  }
  if (type === 'contacts') {
    return (message.body as Card[]).map((card, index) => (
      <Line key={index} icon={<UserRound size={20} />}>
        {card.name.formatted_name}
        {card.phones?.map(({ phone }) => ` · ${phone}`)}
      </Line>
    ));
  }
  if (type === 'interactive' || type === 'template' || type === 'button') {
    const header = content.header?.text ?? content.shown?.header;
    const footer = content.footer?.text ?? content.shown?.footer;
    return (
      <>
        {content.shown?.mediaType && <HeaderFile shown={content.shown} url={mediaUrl} />}
        {header && <chakra.p fontWeight="semibold">{header}</chakra.p>}
        {productsOf(content).map((id) => (
          <Line key={id} icon={<ShoppingBag size={20} />}>
            {id}
          </Line>
        ))}
        <Words>{summary(message, t)}</Words>
        {footer && (
          <chakra.p fontSize="xs" color="fg.muted">
            {footer}
          </chakra.p>
        )}
      </>
    );
  }
  return <Line icon={<CircleHelp size={20} />}>{t('kinds.unsupported')}</Line>;
}

/** The file of a template's header. */
function HeaderFile({
  shown,
  url,
}: {
  shown: NonNullable<MessageBody['shown']>;
  url: string | null;
}) {
  const { t } = useTranslation('simulator');
  const { mediaType = 'document', filename } = shown;
  const name = filename ?? t(`kinds.${mediaType}`);
  if (mediaType === 'document') {
    return (
      <Line icon={<FileText size={20} />} href={url}>
        {name}
      </Line>
    );
  }
  return mediaType === 'image' ? (
    <chakra.img src={url ?? undefined} alt={name} borderRadius="md" maxH="64" mb="1" />
  ) : (
    <chakra.video
      src={url ?? undefined}
      controls
      preload="metadata"
      borderRadius="md"
      mb="1"
      aria-label={name}
    />
  );
}

/** Text with WhatsApp's markup, for example bold between asterisks. */
function Words({ children }: { children: string }) {
  return (
    <chakra.p whiteSpace="pre-wrap">
      <Marks nodes={parseMarkup(children)} />
    </chakra.p>
  );
}

function Line(props: { icon: React.ReactNode; href?: string | null; children: React.ReactNode }) {
  const words = (
    <chakra.span display="flex" alignItems="center" gap="2" py="1">
      {props.icon}
      <span>{props.children}</span>
    </chakra.span>
  );
  if (!props.href) return words;
  return (
    <chakra.a href={props.href} target="_blank" rel="noreferrer" color="brand.fg">
      {words}
    </chakra.a>
  );
}
