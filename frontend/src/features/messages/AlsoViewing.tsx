import { chakra } from '@chakra-ui/react';
import { Pencil } from 'lucide-react';
import { useContext } from 'react';
import { useTranslation } from 'react-i18next';
import { Avatar } from '@/components/Avatar';
import { OthersContext } from './OthersContext';

/** More names than this are a number. */
const NAMED = 2;

/** Says who else has the conversation open, and writes; `compact` shows the pictures alone. */
export function AlsoViewing({ compact }: { compact: boolean }) {
  const { t } = useTranslation('messages');
  const { viewers, writers } = useContext(OthersContext);
  const writes = (id: number) => writers.some(({ writer }) => writer.id === id);
  const named = viewers.slice(0, NAMED);
  const names = named.map(({ name }) => name).join(', ');
  const more = viewers.length - named.length;
  const words =
    viewers.length === 0
      ? ''
      : more > 0
        ? t('alsoViewing.more', { names, count: more })
        : t('alsoViewing.all', { names, count: viewers.length });
  return (
    // Always there, so that screen readers hear who comes.
    <chakra.span
      role="status"
      display="inline-flex"
      alignItems="center"
      gap="1.5"
      minW="0"
      flexShrink={compact ? 0 : 1}
      title={words || undefined}
      textStyle="sm"
      color="fg.muted"
    >
      {viewers.length > 0 && (
        <>
          <chakra.span aria-hidden display="inline-flex" flexShrink="0">
            {named.map(({ id, name }, index) => (
              <chakra.span
                key={id}
                display="inline-flex"
                ms={index > 0 ? '-1.5' : '0'}
                borderRadius="full"
                boxShadow="0 0 0 2px var(--chakra-colors-bg-surface)"
              >
                <Avatar name={name} size={22} mark={writes(id) && <WritingMark />} />
              </chakra.span>
            ))}
          </chakra.span>
          <chakra.span {...(compact ? { srOnly: true } : { truncate: true })}>{words}</chakra.span>
        </>
      )}
    </chakra.span>
  );
}

/** A pencil on the face of who writes. */
const WritingMark = () => (
  <chakra.span
    position="absolute"
    bottom="-1"
    insetEnd="-1"
    display="flex"
    p="0.5"
    borderRadius="full"
    bg="status.waiting.solid"
    color="status.waiting.on"
  >
    <Pencil size={8} aria-hidden />
  </chakra.span>
);
