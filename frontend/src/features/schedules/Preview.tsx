import { chakra } from '@chakra-ui/react';
import { FileText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { parseMarkup, type Node } from '@/lib/markup';
import { fillVariables, variablesFor } from '@/lib/variables';
import { useCurrentUser } from '@/stores/session';
import { isPicture, type ChosenFile } from './MediaField';

const ELEMENTS = { bold: 'strong', italic: 'em', strike: 's' } as const;

function Marks({ nodes }: { nodes: readonly Node[] }) {
  return nodes.map((node, index) => {
    if (node.kind === 'text') return node.text;
    if (node.kind === 'mono')
      return (
        <chakra.code key={index} fontFamily="mono">
          {node.text}
        </chakra.code>
      );
    if (node.kind === 'link')
      return (
        <chakra.span key={index} color="brand.fg" textDecoration="underline">
          {node.text}
        </chakra.span>
      );
    const Element = ELEMENTS[node.kind];
    return (
      <Element key={index}>
        <Marks nodes={node.children} />
      </Element>
    );
  });
}

interface PreviewProps {
  text: string;
  file: ChosenFile | null;
  contactName: string;
  /** When it goes: what the greeting and the hour depend on. */
  sendAt: Date;
}

/** What the contact will get, variables filled in for the time it goes. */
export function Preview({ text, file, contactName, sendAt }: PreviewProps) {
  const { t } = useTranslation('schedules');
  const { settings } = useCurrentUser().company;
  const timeZone = settings.find(({ key }) => key === 'timeZone')?.value || 'America/Sao_Paulo';
  const name = contactName || t('preview.sample');
  const protocol = t('preview.protocol');
  const filled = fillVariables(
    text,
    variablesFor({ name, protocol, now: sendAt, timeZone }),
  ).trim();
  return (
    <chakra.section
      aria-label={t('preview.label')}
      display="flex"
      flexDirection="column"
      gap="1.5"
      minW="0"
    >
      <chakra.div textStyle="sm" fontWeight="semibold">
        {t('preview.label')}
      </chakra.div>
      <chakra.div
        flex="1"
        minH="44"
        p="4"
        bg="bg.thread"
        borderWidth="1px"
        borderRadius="md"
        display="flex"
        flexDirection="column"
        alignItems="flex-end"
      >
        {filled || file ? (
          <chakra.div
            maxW="full"
            overflow="hidden"
            bg="bubble.out"
            borderWidth="1px"
            borderColor="bubble.out.border"
            borderRadius="lg"
            borderTopEndRadius="xs"
          >
            {file && isPicture(file) && (
              <chakra.img
                src={file.address}
                alt={file.name}
                display="block"
                maxW="full"
                maxH="200px"
                m="auto"
                p="1"
                borderRadius="lg"
                objectFit="contain"
              />
            )}
            {file && !isPicture(file) && (
              <chakra.div
                display="flex"
                alignItems="center"
                gap="2"
                m="1"
                p="2.5"
                bg="brand.fg/8"
                borderRadius="md"
                textStyle="sm"
                fontWeight="medium"
              >
                <FileText size={20} aria-hidden style={{ flexShrink: 0 }} />
                <chakra.span truncate>{file.name}</chakra.span>
              </chakra.div>
            )}
            {filled && (
              <chakra.div
                px="3"
                py="1.5"
                textStyle="md"
                whiteSpace="pre-wrap"
                overflowWrap="anywhere"
              >
                <Marks nodes={parseMarkup(filled)} />
              </chakra.div>
            )}
          </chakra.div>
        ) : (
          <chakra.p m="auto" textStyle="sm" color="fg.muted" textAlign="center">
            {t('preview.empty')}
          </chakra.p>
        )}
      </chakra.div>
    </chakra.section>
  );
}
