import { chakra } from '@chakra-ui/react';
import { BookOpen } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { CopyLine } from '@/components/CopyLine';
import { DownloadButton } from '@/components/DownloadButton';
import { Segmented, Tabs } from '@/components/Tabs';
import { planAllows } from '@/lib/permissions';
import { useCurrentUser } from '@/stores/session';
import { buttonRecipe } from '@/theme/recipes/controls';
import { fetchCollection, sendAddress, serverOrigin } from './api';
import { isNumber } from './number';
import { LANGUAGES, listenerOf, sampleOf, type Kind, type Language } from './samples';
import { Section, Words } from './Section';
import { ServiceTokens } from './ServiceTokens';
import { TestCallForm } from './TestCallForm';

/** The sample text of the programs; it needs no translation. */
const SAID = 'Balcão 10482';
const EXAMPLE = '5511999998888';
const NAMES: Record<Language, string> = {
  curl: 'curl',
  python: 'Python',
  javascript: 'JavaScript',
};
/** The status codes of refusals (rules/messages-api §2). */
const REFUSALS = ['400', '401', '402', '403', '409', '413', '429'] as const;
const ButtonLink = chakra('a', buttonRecipe);
const TextLink = chakra(Link, { base: { color: 'brand.fg', textDecoration: 'underline' } });

/**
 * How programs send messages and receive events, with test forms and sample programs
 * (rules/messages-api).
 */
export function MessagesApiPage() {
  const { t } = useTranslation(['messagesApi', 'common']);
  const user = useCurrentUser();
  const [kind, setKind] = useState<Kind>('text');
  const [language, setLanguage] = useState<Language>('curl');
  const [token, setToken] = useState('');
  const [number, setNumber] = useState('');
  const values = {
    address: sendAddress(),
    number: isNumber(number) ? number.trim() : EXAMPLE,
    body: SAID,
  };
  const form = (of: Kind) => (
    <TestCallForm kind={of} token={token} onToken={setToken} number={number} onNumber={setNumber} />
  );

  return (
    <chakra.div flex="1" minH="0" overflowY="auto" bg="bg.canvas" p={{ base: '4', sm: '6' }}>
      <chakra.div maxW="880px" mx="auto" display="flex" flexDirection="column" gap="4">
        <Section title={t('intro.title')}>
          <Words>{t('intro.text')}</Words>
          <CopyLine text={`POST ${values.address}`} label={t('intro.copyAddress')} />
          <Words>
            {t('intro.token')} <TextLink to="/connections">{t('intro.toConnections')}</TextLink>
          </Words>
          <Words>{t('intro.where')}</Words>
        </Section>
        <Section title={t('form.title')}>
          <Words>{t('form.warning')}</Words>
          <Tabs
            aria-label={t('form.title')}
            value={kind}
            onChange={setKind}
            tabs={[
              { value: 'text', label: t('form.text'), content: form('text') },
              { value: 'media', label: t('form.media'), content: form('media') },
            ]}
          />
        </Section>
        <Section title={t(kind === 'text' ? 'samples.textTitle' : 'samples.mediaTitle')}>
          <Words>{t('samples.text')}</Words>
          <Segmented
            aria-label={t('samples.language')}
            value={language}
            onChange={setLanguage}
            tabs={LANGUAGES.map((value) => ({
              value,
              label: NAMES[value],
              content: (
                <chakra.div pt="3">
                  <CopyLine
                    block
                    text={sampleOf(kind, value, values)}
                    label={t('samples.copy', { language: NAMES[value] })}
                  />
                </chakra.div>
              ),
            }))}
          />
        </Section>
        <Section title={t('rules.title')}>
          <Words>{t('rules.twice')}</Words>
          <Words>{t('rules.pace')}</Words>
          <Words>{t('rules.files')}</Words>
          <chakra.dl display="grid" gridTemplateColumns="auto 1fr" columnGap="4" rowGap="2">
            {REFUSALS.map((status) => (
              <chakra.div key={status} display="contents">
                <chakra.dt fontFamily="mono" fontWeight="semibold">
                  {status}
                </chakra.dt>
                <chakra.dd color="fg.muted">{t(`rules.refusals.${status}`)}</chakra.dd>
              </chakra.div>
            ))}
          </chakra.dl>
        </Section>
        <Section title={t('reference.title')}>
          <Words>{t('reference.text')}</Words>
          <chakra.div display="flex" gap="2" flexWrap="wrap">
            <DownloadButton
              label={t('reference.download')}
              fetchFile={fetchCollection}
              fileName="balcao-mensagens.openapi.json"
            />
            <ButtonLink href="/api/docs" target="_blank" rel="noopener" variant="outline">
              <BookOpen size={16} aria-hidden />
              {t('reference.docs')}
            </ButtonLink>
          </chakra.div>
          <Words>{t('reference.postman')}</Words>
        </Section>
        <ServiceTokens />
        <Section title={t('events.title')}>
          <Words>{t('events.text')}</Words>
          <Words>{t('events.user')}</Words>
          <CopyLine block text={listenerOf(serverOrigin())} label={t('events.copy')} />
          <Words>{t('events.closed')}</Words>
          {planAllows(user, 'useIntegrations') && (
            <Words>
              {t('events.webhooks')}{' '}
              <TextLink to="/queue-integration">{t('events.toIntegrations')}</TextLink>
            </Words>
          )}
        </Section>
      </chakra.div>
    </chakra.div>
  );
}
