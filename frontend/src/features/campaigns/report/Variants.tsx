import { chakra } from '@chakra-ui/react';
import { Trophy } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { formatCount } from '@/lib/format';
import { useNarrow } from '@/lib/useMedia';
import type { Campaign } from '../types';
import { bestOf, shareOf } from './variants';
import type { Variant } from './types';

const Head = chakra('th', {
  base: {
    px: '3',
    py: '2',
    textStyle: 'xs',
    fontWeight: 'medium',
    color: 'fg.muted',
    textAlign: 'end',
    whiteSpace: 'nowrap',
  },
});
const Cell = chakra('td', {
  base: {
    px: '3',
    py: '2',
    borderTopWidth: '1px',
    textStyle: 'sm',
    textAlign: 'end',
    fontVariantNumeric: 'tabular-nums',
    whiteSpace: 'nowrap',
  },
});

const TEXTS = ['message1', 'message2', 'message3', 'message4', 'message5'] as const;

/** The counts of a text, and the count of which each is a part. */
const FIGURES = [
  { name: 'sent', of: null },
  { name: 'delivered', of: 'sent' },
  { name: 'read', of: 'delivered' },
  { name: 'answered', of: 'delivered' },
] as const;

function Share({ part, whole }: { part: number; whole: number | null }) {
  return (
    <>
      {formatCount(part)}
      {whole !== null && (
        <chakra.span display="inline-block" minW="10" ps="2" color="fg.muted">
          {whole > 0 ? `${shareOf(part, whole)}%` : '–'}
        </chakra.span>
      )}
    </>
  );
}

interface TextHeadProps {
  campaign: Campaign;
  variant: Variant;
  isBest: boolean;
}

/** The number of the text, and its beginning. */
function TextHead({ campaign, variant, isBest }: TextHeadProps) {
  const { t } = useTranslation('campaignReport');
  const text = campaign[TEXTS[variant.number - 1] ?? 'message1'];
  return (
    <>
      <chakra.span display="flex" alignItems="center" gap="2" textStyle="sm" fontWeight="medium">
        {t('variants.number', { number: variant.number })}
        {isBest && (
          <Badge tone="live" gap="1" px="2" whiteSpace="nowrap">
            <Trophy size={12} aria-hidden />
            {t('variants.best')}
          </Badge>
        )}
      </chakra.span>
      {text && (
        <chakra.span display="block" color="fg.muted" textStyle="xs" truncate>
          {text}
        </chakra.span>
      )}
    </>
  );
}

/** Compares the results of the texts; nothing if only one was sent. */
export function Variants({ campaign, variants }: { campaign: Campaign; variants: Variant[] }) {
  const { t } = useTranslation('campaignReport');
  const titleId = useId();
  const isNarrow = useNarrow();
  if (variants.length < 2) return null;
  const best = bestOf(variants);
  return (
    <chakra.section
      aria-labelledby={titleId}
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
      p="4"
      minW="0"
    >
      <chakra.h2 id={titleId} textStyle="md" fontWeight="semibold">
        {t('variants.title')}
      </chakra.h2>
      <chakra.p textStyle="xs" color="fg.muted" mb="2">
        {t('variants.text')}
      </chakra.p>
      {isNarrow ? (
        variants.map((variant) => (
          <chakra.div key={variant.number} borderTopWidth="1px" py="3">
            <TextHead campaign={campaign} variant={variant} isBest={variant.number === best} />
            <chakra.dl m="0" mt="2" display="grid" gridTemplateColumns="repeat(2, 1fr)" gap="2">
              {FIGURES.map(({ name, of }) => (
                <chakra.div key={name} textStyle="sm">
                  <chakra.dt textStyle="xs" color="fg.muted">
                    {t(`variants.${name}`)}
                  </chakra.dt>
                  <chakra.dd m="0" fontVariantNumeric="tabular-nums">
                    <Share part={variant[name]} whole={of && variant[of]} />
                  </chakra.dd>
                </chakra.div>
              ))}
            </chakra.dl>
          </chakra.div>
        ))
      ) : (
        <chakra.table w="full" borderCollapse="separate" borderSpacing="0">
          <thead>
            <tr>
              <Head scope="col" textAlign="start">
                {t('variants.message')}
              </Head>
              {FIGURES.map(({ name }) => (
                <Head key={name} scope="col">
                  {t(`variants.${name}`)}
                </Head>
              ))}
            </tr>
          </thead>
          <tbody>
            {variants.map((variant) => (
              <tr key={variant.number}>
                <Cell textAlign="start" maxW="280px" whiteSpace="normal">
                  <TextHead
                    campaign={campaign}
                    variant={variant}
                    isBest={variant.number === best}
                  />
                </Cell>
                {FIGURES.map(({ name, of }) => (
                  <Cell key={name}>
                    <Share part={variant[name]} whole={of && variant[of]} />
                  </Cell>
                ))}
              </tr>
            ))}
          </tbody>
        </chakra.table>
      )}
    </chakra.section>
  );
}
