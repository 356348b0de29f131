import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Logo } from '@/components/Logo';

/** Shown in place of a conversation while no ticket is chosen. */
export function Welcome() {
  const { t } = useTranslation('tickets');
  return (
    <chakra.div
      flex="1"
      display="flex"
      flexDirection="column"
      alignItems="center"
      justifyContent="center"
      gap="2"
      p="6"
      bg="bg.thread"
      textAlign="center"
    >
      <Logo size={56} />
      <chakra.h2 mt="4" textStyle="xl" fontWeight="semibold">
        {t('welcome.title')}
      </chakra.h2>
      <chakra.p textStyle="sm" color="fg.muted" maxW="40ch">
        {t('welcome.text')}
      </chakra.p>
    </chakra.div>
  );
}
