import { chakra } from '@chakra-ui/react';
import { Lock } from 'lucide-react';
import { useTranslation } from 'react-i18next';

/** Explains on the campaign pages that the company's plan does not include campaigns. */
export function CampaignsNotice() {
  const { t } = useTranslation('shell');
  return (
    <chakra.p
      role="status"
      display="flex"
      alignItems="center"
      justifyContent="center"
      gap="2"
      flexShrink="0"
      px="4"
      py="2"
      bg="status.waiting.subtle"
      color="status.waiting.fg"
      textStyle="sm"
    >
      <chakra.span display="inline-flex" flexShrink="0">
        <Lock size={16} aria-hidden />
      </chakra.span>
      {t('campaignsNotInPlan')}
    </chakra.p>
  );
}
