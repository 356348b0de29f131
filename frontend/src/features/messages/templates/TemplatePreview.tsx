import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { TemplateCard } from '@/components/TemplateCard';
import type { ShownTemplate } from '@/lib/templates/shown';
import { Bubble } from '@/components/Bubble';
import { Marked } from '../content/Text';

/** The template as a bubble, while it is being filled in. */
export function TemplatePreview({ template }: { template: ShownTemplate }) {
  const { t } = useTranslation('templates');
  return (
    <chakra.section
      aria-label={t('preview')}
      display="flex"
      flexDirection="column"
      gap="3"
      p="4"
      minH="0"
      h={{ md: 'full' }}
      overflowY="auto"
      bg="bg.thread"
      borderRadius={{ base: 'md', md: '0' }}
    >
      <chakra.h3 textStyle="xs" fontWeight="medium" color="fg.muted">
        {t('preview')}
      </chakra.h3>
      <chakra.div alignSelf="flex-end" maxW="full" minW="0" pe="2" textStyle="md">
        <Bubble out first failed={false}>
          <TemplateCard template={template} words={(text) => <Marked text={text} />} />
        </Bubble>
      </chakra.div>
    </chakra.section>
  );
}
