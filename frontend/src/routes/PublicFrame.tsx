import { chakra } from '@chakra-ui/react';
import { useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { LanguageSelect } from '@/components/LanguageSelect';
import { Logo } from '@/components/Logo';
import { Splash } from '@/components/Splash';
import { Showcase } from '@/features/session/Showcase';
import { VERSION } from '@/lib/version';
import { useSession } from '@/stores/session';
import { paths } from './paths';

/** The frame of public pages; redirects users who are signed in. */
export function PublicFrame({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation(['session', 'common']);
  const status = useSession((state) => state.status);
  // A login on this page leads to the conversations; a user who was signed in already goes home.
  const [cameIn] = useState(status !== 'out');
  useEffect(() => {
    document.title = `${title} · Balcão`;
  });
  if (status === 'in' || status === 'starting')
    return (
      <>
        <Splash label={t('starting')} />
        <Navigate to={cameIn ? paths.home : paths.tickets} replace />
      </>
    );
  return (
    <chakra.div display="flex" h="full">
      <chakra.main
        display="flex"
        flexDirection="column"
        w={{ base: 'full', md: '600px' }}
        maxW={{ md: '50%' }}
        flexShrink="0"
        overflowY="auto"
        bg="bg.surface"
        px={{ base: '6', sm: '10' }}
        py={{ base: '6', sm: '8' }}
      >
        <chakra.div
          display="flex"
          alignItems="center"
          gap="2.5"
          textStyle="lg"
          fontWeight="semibold"
        >
          <Logo />
          Balcão
        </chakra.div>
        <chakra.div
          flex="1"
          display="flex"
          flexDirection="column"
          alignItems="center"
          gap="8"
          // From a place that depends on the window only: in a centred form every sentence that
          // comes or goes would move all the others.
          pt="clamp(32px, calc(50dvh - 288px), 240px)"
          pb={{ base: '8', sm: '10' }}
        >
          {children}
        </chakra.div>
        <chakra.div
          display="flex"
          alignItems="center"
          justifyContent="space-between"
          textStyle="xs"
          color="fg.muted"
        >
          <LanguageSelect />
          {t('common:version', { version: VERSION })}
        </chakra.div>
      </chakra.main>
      <Showcase />
    </chakra.div>
  );
}
