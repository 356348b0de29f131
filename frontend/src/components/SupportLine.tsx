import { chakra } from '@chakra-ui/react';
import { Mail, Phone } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { reach } from '@/theme/screens';

const StyledLink = chakra('a', {
  base: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: '1.5',
    color: 'brand.fg',
    fontWeight: 'medium',
    overflowWrap: 'anywhere',
    _hover: { textDecoration: 'underline' },
  },
});

interface SupportLineProps {
  support: { email: string; phone: string };
}

/** The operator's contact details; nothing if they are unknown. */
export function SupportLine({ support: { email, phone } }: SupportLineProps) {
  const { t } = useTranslation();
  if (!email && !phone) return null;
  return (
    <chakra.p display="flex" flexWrap="wrap" columnGap="4" rowGap="1" textStyle="sm">
      <chakra.span color="fg.muted">{t('support')}</chakra.span>
      {email && (
        <StyledLink href={`mailto:${email}`} css={reach}>
          <Mail size={16} aria-hidden />
          {email}
        </StyledLink>
      )}
      {phone && (
        <StyledLink href={`tel:${phone.replace(/[^\d+]/g, '')}`} css={reach}>
          <Phone size={16} aria-hidden />
          {phone}
        </StyledLink>
      )}
    </chakra.p>
  );
}
