import { chakra } from '@chakra-ui/react';
import { FileText } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { kindOfMime } from '@/lib/files';
import { formatBytes } from '@/lib/format';
import { parseMarkup, type Node } from '@/lib/markup';
import { fillVariables, variablesFor } from '@/lib/variables';
import { useCurrentUser } from '@/stores/session';
import type { ChosenFile } from './FileField';

/** The sample recipient while none is chosen; not translated. */
export const SAMPLE = { name: 'Mariana Albuquerque', protocol: '20260105000421' };

/** Text with the marks of its markup. */
export function Marks({ nodes }: { nodes: readonly Node[] }) {
  return nodes.map((node, index) => {
    switch (node.kind) {
      case 'bold':
        return (
          <chakra.strong key={index} fontWeight="semibold">
            <Marks nodes={node.children} />
          </chakra.strong>
        );
      case 'italic':
        return (
          <em key={index}>
            <Marks nodes={node.children} />
          </em>
        );
      case 'strike':
        return (
          <s key={index}>
            <Marks nodes={node.children} />
          </s>
        );
      case 'mono':
        return (
          <chakra.code key={index} fontFamily="mono">
            {node.text}
          </chakra.code>
        );
      case 'link':
        return (
          <chakra.span key={index} color="brand.fg" textDecoration="underline">
            {node.text}
          </chakra.span>
        );
      case 'text':
        return node.text;
    }
  });
}

function ShownFile({ file }: { file: ChosenFile }) {
  switch (kindOfMime(file.mime)) {
    case 'image':
      return (
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
      );
    case 'video':
      return <chakra.video src={file.address} controls display="block" maxW="full" p="1" />;
    case 'audio':
      return <chakra.audio src={file.address} controls display="block" maxW="full" p="1" />;
    case 'application':
      return (
        <chakra.div
          display="flex"
          alignItems="center"
          gap="3"
          m="1"
          p="2.5"
          bg="brand.fg/8"
          borderRadius="md"
        >
          <chakra.span display="flex" flexShrink="0" color="fg.muted">
            <FileText size={20} aria-hidden />
          </chakra.span>
          <chakra.span minW="0">
            <chakra.span display="block" textStyle="sm" fontWeight="medium" truncate>
              {file.name}
            </chakra.span>
            <chakra.span display="block" textStyle="xs" color="bubble.out.meta">
              {formatBytes(file.size)}
            </chakra.span>
          </chakra.span>
        </chakra.div>
      );
  }
}

/** The message as its recipient sees it; variables are already filled in. */
export function PreviewBubble({ text, file }: { text: string; file: ChosenFile | null }) {
  return (
    <chakra.div
      maxW="full"
      bg="bubble.out"
      borderWidth="1px"
      borderColor="bubble.out.border"
      borderRadius="lg"
      borderTopEndRadius="xs"
      overflow="hidden"
    >
      {file && <ShownFile file={file} />}
      {text && (
        <chakra.div px="3" py="1.5" textStyle="md" whiteSpace="pre-wrap" overflowWrap="anywhere">
          <Marks nodes={parseMarkup(text)} />
        </chakra.div>
      )}
    </chakra.div>
  );
}

interface MessagePreviewProps {
  label: string;
  text: string;
  file: ChosenFile | null;
  /** The recipient's name; a sample while none is chosen. */
  name?: string | undefined;
  /** The time of sending, on which the greeting and the hour depend. */
  now: Date;
  help?: string;
}

/** A message as its recipient sees it, with variables filled in for the company's time zone. */
export function MessagePreview({ label, text, file, name, now, help }: MessagePreviewProps) {
  const { t } = useTranslation();
  const { settings } = useCurrentUser().company;
  const timeZone = settings.find(({ key }) => key === 'timeZone')?.value || 'America/Sao_Paulo';
  const values = variablesFor({ ...SAMPLE, ...(name && { name }), now, timeZone });
  const filled = fillVariables(text, values).trim();
  return (
    <chakra.section aria-label={label} minW="0" display="flex" flexDirection="column" gap="1.5">
      <chakra.div textStyle="sm" fontWeight="semibold">
        {label}
      </chakra.div>
      <chakra.div
        flex="1"
        minH="44"
        p="4"
        borderRadius="md"
        borderWidth="1px"
        bg="bg.thread"
        display="flex"
        flexDirection="column"
        alignItems="flex-end"
      >
        {filled || file ? (
          <PreviewBubble text={filled} file={file} />
        ) : (
          <chakra.p m="auto" textStyle="sm" color="fg.muted" textAlign="center">
            {t('preview.empty')}
          </chakra.p>
        )}
      </chakra.div>
      {help && (
        <chakra.p textStyle="xs" color="fg.muted">
          {help}
        </chakra.p>
      )}
    </chakra.section>
  );
}
