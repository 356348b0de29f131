import { chakra } from '@chakra-ui/react';
import {
  BadgePercent,
  ClipboardList,
  ContactRound,
  Copy,
  ExternalLink,
  FileText,
  Image,
  List,
  MapPin,
  Phone,
  Reply,
  ShoppingBag,
  Video,
} from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { formatDateTime } from '@/lib/format';
import type { ShownButton, ShownHeader, ShownOffer, ShownTemplate } from '@/lib/templates/shown';
import { focusVisible } from '@/theme/recipes/controls';
import { touch } from '@/theme/screens';

const ICONS = {
  link: ExternalLink,
  phone: Phone,
  code: Copy,
  reply: Reply,
  form: ClipboardList,
  catalog: ShoppingBag,
  list: List,
  location: MapPin,
  contact: ContactRound,
} as const;
const MEDIA_ICONS = { image: Image, video: Video, document: FileText } as const;

const Frame = chakra('div', {
  base: {
    w: 'full',
    minW: 'var(--frame-width, 240px)',
    maxW: '360px',
    aspectRatio: '16 / 9',
    borderRadius: 'md',
    mb: '1.5',
  },
});

function Header({ header }: { header: ShownHeader }) {
  const { t } = useTranslation();
  if (header.kind === 'text') {
    return <chakra.div fontWeight="semibold">{header.text}</chakra.div>;
  }
  if (header.kind === 'location') {
    return (
      <Frame
        display="flex"
        flexDirection="column"
        alignItems="center"
        justifyContent="center"
        gap="1"
        bg="brand.fg/8"
        color="fg.muted"
        textStyle="xs"
      >
        <MapPin size={20} aria-hidden />
        {header.text}
      </Frame>
    );
  }
  const { kind, url, name } = header;
  const Icon = MEDIA_ICONS[kind];
  if (kind === 'document') {
    const words = name || t('headerMedia.document');
    return (
      <chakra.div
        display="flex"
        alignItems="center"
        gap="2.5"
        p="2"
        mb="1.5"
        borderRadius="md"
        bg="brand.fg/8"
        minW="0"
      >
        <chakra.span display="flex" flexShrink="0" color="status.danger.fg">
          <Icon size={20} aria-hidden />
        </chakra.span>
        {url ? (
          <chakra.a
            href={url}
            target="_blank"
            rel="noopener noreferrer"
            textStyle="sm"
            fontWeight="semibold"
            truncate
            title={words}
            _hover={{ textDecoration: 'underline' }}
          >
            {words}
          </chakra.a>
        ) : (
          <chakra.span textStyle="sm" fontWeight="semibold" truncate title={words}>
            {words}
          </chakra.span>
        )}
      </chakra.div>
    );
  }
  if (!url) {
    return (
      <Frame
        display="flex"
        flexDirection="column"
        alignItems="center"
        justifyContent="center"
        gap="1"
        bg="brand.fg/8"
        color="fg.muted"
        textStyle="xs"
      >
        <Icon size={20} aria-hidden />
        {t(`headerMedia.${kind}`)}
      </Frame>
    );
  }
  return kind === 'image' ? (
    <Frame asChild objectFit="cover">
      <img src={url} alt={t('headerMedia.image')} />
    </Frame>
  ) : (
    <Frame asChild bg="bg.subtle">
      <video src={url} controls preload="metadata" aria-label={t('headerMedia.video')} />
    </Frame>
  );
}

const Button = chakra('div', {
  base: {
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    gap: '1.5',
    minH: '9',
    [touch]: { minH: '12' },
    px: '2',
    textStyle: 'sm',
    fontWeight: 'semibold',
    color: 'brand.fg',
    borderTopWidth: '1px',
    borderColor: 'brand.fg/15',
    overflowWrap: 'anywhere',
    textAlign: 'center',
  },
});

function TemplateButton({ button }: { button: ShownButton }) {
  const Icon = ICONS[button.kind];
  const content = (
    <>
      <chakra.span display="flex" flexShrink="0">
        <Icon size={16} aria-hidden />
      </chakra.span>
      {button.text}
    </>
  );
  if (!button.href) return <Button>{content}</Button>;
  return (
    <Button asChild _hover={{ textDecoration: 'underline' }}>
      <a href={button.href} target="_blank" rel="noopener noreferrer">
        {content}
      </a>
    </Button>
  );
}

/** What is offered, with which code, and until when. */
function Offer({ offer: { text, code, expiresAt } }: { offer: ShownOffer }) {
  const { t } = useTranslation();
  const [openedAt] = useState(() => Date.now());
  const isOver = expiresAt !== null && Date.parse(expiresAt) < openedAt;
  return (
    <chakra.div
      display="flex"
      alignItems="center"
      gap="2.5"
      p="2"
      mb="1.5"
      borderRadius="md"
      bg="brand.fg/8"
      minW="0"
    >
      <chakra.span display="flex" flexShrink="0" color="brand.fg">
        <BadgePercent size={20} aria-hidden />
      </chakra.span>
      <chakra.div minW="0">
        <chakra.div textStyle="sm" fontWeight="semibold" overflowWrap="anywhere">
          {text || t('offer.title')}
        </chakra.div>
        {code && (
          <chakra.div textStyle="xs" overflowWrap="anywhere">
            {t('offer.code', { code })}
          </chakra.div>
        )}
        {expiresAt && (
          <chakra.div textStyle="xs" color={isOver ? 'status.danger.fg' : 'fg.muted'}>
            {t(isOver ? 'offer.over' : 'offer.until', { date: formatDateTime(expiresAt) })}
          </chakra.div>
        )}
      </chakra.div>
    </chakra.div>
  );
}

/** The cards of a carousel, which scroll sideways as on the phone. */
function Cards({ cards, words }: { cards: readonly ShownTemplate[]; words: Words }) {
  const { t } = useTranslation();
  return (
    <chakra.div
      role="region"
      aria-label={t('carousel.label', { count: cards.length })}
      // Keys scroll it.
      tabIndex={0}
      overflowX="auto"
      mt="2"
      mb="1"
      borderRadius="md"
      _focusVisible={focusVisible}
    >
      <chakra.ul listStyleType="none" display="flex" gap="2">
        {cards.map((card, index) => (
          <chakra.li
            key={index}
            flex="0 0 220px"
            minW="0"
            // Its parts are as wide as the card.
            css={{ '--frame-width': '0', '--card-width': '0' }}
            px="3"
            py="1.5"
            borderWidth="1px"
            borderColor="brand.fg/15"
            borderRadius="md"
            bg="bg.surface"
          >
            <TemplateCard template={card} words={words} />
          </chakra.li>
        ))}
      </chakra.ul>
    </chakra.div>
  );
}

type Words = (text: string) => ReactNode;

interface TemplateCardProps {
  template: ShownTemplate;
  /** Renders the text of the body. */
  words: Words;
  /** Time and tick, and the space they take at the end of the last line. */
  meta?: ReactNode;
  metaSpace?: ReactNode;
  /** Below the text, and below the buttons. */
  extra?: ReactNode;
  below?: ReactNode;
}

/** A template as the contact sees it: header, words, footer, buttons. */
export function TemplateCard(props: TemplateCardProps) {
  const { template, words, meta, metaSpace, extra, below } = props;
  const { header, body, footer, buttons, offer, cards } = template;
  // With parts below, the time stands at the end of the text.
  const hasMore = buttons.length > 0 || Boolean(cards);
  return (
    <chakra.div minW={buttons.length > 0 ? 'var(--card-width, 220px)' : undefined}>
      <chakra.div {...(hasMore && { position: 'relative', mx: '-3', px: '3', pb: '1.5' })}>
        {header && <Header header={header} />}
        {offer && <Offer offer={offer} />}
        {extra}
        <chakra.div whiteSpace="pre-wrap" overflowWrap="anywhere">
          {words(body)}
          {!footer && metaSpace}
        </chakra.div>
        {footer && (
          <chakra.div textStyle="xs" color="fg.muted" mt="1" overflowWrap="anywhere">
            {footer}
            {metaSpace}
          </chakra.div>
        )}
        {meta}
      </chakra.div>
      {buttons.length > 0 && (
        <chakra.div mx="-3" mb="-1.5">
          {buttons.map((button, index) => (
            <TemplateButton key={index} button={button} />
          ))}
        </chakra.div>
      )}
      {cards && <Cards cards={cards} words={words} />}
      {below}
    </chakra.div>
  );
}
