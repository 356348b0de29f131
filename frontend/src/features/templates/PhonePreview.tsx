import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { Marks } from '@/components/MessagePreview';
import { TemplateCard } from '@/components/TemplateCard';
import type { ShownTemplate } from '@/lib/templates/shown';
import { parseMarkup, type Node } from '@/lib/markup';
import { aroundSamples, withoutMarks } from './form';

/** Formatted text, with the variables' values highlighted. */
function Words({ nodes }: { nodes: readonly Node[] }) {
  return nodes.map((node, index) => {
    if (node.kind === 'text')
      return aroundSamples(node.text).map((words, place) =>
        place % 2 === 1 ? (
          <chakra.mark
            key={`${index}.${place}`}
            bg="brand.subtle"
            color="brand.fg"
            borderRadius="xs"
          >
            {words}
          </chakra.mark>
        ) : (
          words
        ),
      );
    if ('children' in node) {
      const inner = <Words nodes={node.children} />;
      if (node.kind === 'italic') return <em key={index}>{inner}</em>;
      if (node.kind === 'strike') return <s key={index}>{inner}</s>;
      return (
        <chakra.strong key={index} fontWeight="semibold">
          {inner}
        </chakra.strong>
      );
    }
    // Code and links have no highlights.
    return <Marks key={index} nodes={[{ ...node, text: withoutMarks(node.text) }]} />;
  });
}

/** The template as the contact's phone shows it. */
export function PhonePreview({ template }: { template: ShownTemplate }) {
  const { t } = useTranslation(['templates', 'templatesPage']);
  const isEmpty = !template.body && !template.header && template.buttons.length === 0;
  return (
    <chakra.section aria-label={t('preview')} display="flex" flexDirection="column" gap="2">
      <chakra.h3 textStyle="xs" fontWeight="medium" color="fg.muted">
        {t('preview')}
      </chakra.h3>
      <chakra.div
        position={{ md: 'sticky' }}
        top="0"
        minH="240px"
        p="4"
        borderWidth="1px"
        borderRadius="lg"
        bg="bg.thread"
        display="flex"
        flexDirection="column"
        alignItems="flex-start"
      >
        {isEmpty ? (
          <chakra.p m="auto" textStyle="sm" color="fg.muted" textAlign="center">
            {t('templatesPage:previewEmpty')}
          </chakra.p>
        ) : (
          <chakra.div
            maxW="full"
            minW="0"
            px="3"
            py="1.5"
            textStyle="md"
            bg="bubble.in"
            borderWidth="1px"
            borderColor="bubble.in.border"
            borderRadius="lg"
          >
            <TemplateCard
              template={template}
              words={(text) => <Words nodes={parseMarkup(text)} />}
            />
          </chakra.div>
        )}
      </chakra.div>
    </chakra.section>
  );
}
