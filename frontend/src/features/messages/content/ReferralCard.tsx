import { chakra } from '@chakra-ui/react';
import { Megaphone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { reach } from '@/theme/screens';
import type { Referral } from '../parse';

/** The advertisement or post through which the contact came; none of its media is loaded. */
export function ReferralCard({ referral }: { referral: Referral }) {
  const { t } = useTranslation('conversation');
  const { isAd, headline, body, href } = referral;
  return (
    <chakra.div
      mb="1.5"
      p="2.5"
      borderRadius="md"
      borderInlineStartWidth="3px"
      borderColor="brand.border"
      bg="bg.subtle"
      textStyle="sm"
      minW="200px"
    >
      <chakra.div display="flex" alignItems="center" gap="1.5" textStyle="xs" color="fg.muted">
        <Megaphone size={14} aria-hidden />
        {t(isAd ? 'referral.ad' : 'referral.post')}
      </chakra.div>
      {headline && (
        <chakra.p fontWeight="semibold" overflowWrap="anywhere" mt="1">
          {headline}
        </chakra.p>
      )}
      {body && (
        <chakra.p color="fg.muted" overflowWrap="anywhere" lineClamp="3">
          {body}
        </chakra.p>
      )}
      {href && (
        <chakra.a
          href={href}
          target="_blank"
          rel="noopener noreferrer"
          display="inline-block"
          mt="1"
          color="brand.fg"
          css={reach}
          _hover={{ textDecoration: 'underline' }}
          _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
        >
          {t(isAd ? 'referral.openAd' : 'referral.openPost')}
        </chakra.a>
      )}
    </chakra.div>
  );
}
