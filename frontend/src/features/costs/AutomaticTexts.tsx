import { chakra } from '@chakra-ui/react';
import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorState, Skeleton } from '@/components/States';
import { TextButton } from '@/components/TextButton';
import { toast } from '@/lib/toast';
import { amountsText } from './Amounts';
import { automaticTextsQuery, useChangeText } from './api';
import { AutomaticTextRow } from './AutomaticTextRow';
import { StopDialog } from './StopDialog';
import type { AutomaticText } from './types';
import { useTextName } from './useGroupName';

/** So many of the others are shown before somebody asks for all. */
const FIRST = 5;

const idOf = ({ origin, id }: AutomaticText) => `${origin} ${id ?? ''}`;
const isPaid = ({ figures }: AutomaticText) =>
  figures.amounts.some(({ amount }) => Number(amount) > 0);

/** What the bot writes of itself, what it costs in a month, and a way to stop it (rules/costs §7). */
export function AutomaticTexts() {
  const { t } = useTranslation('costs');
  const titleId = useId();
  const nameOf = useTextName();
  const list = useQuery(automaticTextsQuery());
  const stop = useChangeText('stop');
  const resume = useChangeText('resume');
  const [showsAll, setShowsAll] = useState(false);
  const [asked, setAsked] = useState<AutomaticText | null>(null);
  const texts = list.data?.texts;
  if (list.error && !texts)
    return <ErrorState error={list.error} onRetry={() => void list.refetch()} />;
  if (texts?.length === 0) return null;

  const sendAgain = (text: AutomaticText) =>
    resume.mutate(text, {
      onSuccess: () => toast.success(t('automatic.resumed')),
      onError: toast.error,
    });
  const stopSending = (text: AutomaticText) =>
    stop.mutate(text, {
      onSuccess: () =>
        toast.undo(t('automatic.stopped'), t('automatic.resume'), () => sendAgain(text)),
      onError: toast.error,
      onSettled: () => setAsked(null),
    });
  const dearest = texts?.find((each) => each.state === 'sent' && isPaid(each));
  // What can be changed here stays in reach, whatever it cost.
  const shown = texts?.filter(
    ({ state }, index) => showsAll || index < FIRST || state === 'sent' || state === 'stopped',
  );
  const hidden = (texts?.length ?? 0) - (shown?.length ?? 0);
  return (
    <chakra.section
      aria-labelledby={titleId}
      flexShrink="0"
      bg="bg.surface"
      borderWidth="1px"
      borderRadius="md"
    >
      <chakra.div p="4" display="flex" flexDirection="column" gap="1">
        <chakra.h2 id={titleId} textStyle="md" fontWeight="semibold">
          {t('automatic.title')}
        </chakra.h2>
        <chakra.p textStyle="sm" color="fg.muted">
          {t('automatic.text')}
        </chakra.p>
        {dearest && (
          <chakra.p display="flex" gap="2" mt="1" textStyle="sm" color="status.waiting.fg">
            <chakra.span flexShrink="0" mt="0.5" aria-hidden>
              <TriangleAlert size={16} />
            </chakra.span>
            <chakra.span overflowWrap="anywhere">
              {t('automatic.dearest', {
                name: nameOf(dearest),
                cost: amountsText(dearest.figures.amounts),
              })}
            </chakra.span>
          </chakra.p>
        )}
      </chakra.div>
      <chakra.ul aria-labelledby={titleId} listStyleType="none" m="0" p="0" aria-busy={!shown}>
        {shown ? (
          shown.map((text) => (
            <AutomaticTextRow
              key={idOf(text)}
              text={text}
              busy={resume.isPending && idOf(resume.variables as AutomaticText) === idOf(text)}
              onStop={() => setAsked(text)}
              onResume={() => sendAgain(text)}
            />
          ))
        ) : (
          <chakra.li px="4" pb="4">
            <Skeleton display="block" w="full" h="24" borderRadius="md" />
          </chakra.li>
        )}
      </chakra.ul>
      {(hidden > 0 || showsAll) && (
        <chakra.div px="4" py="3" borderTopWidth="1px" textStyle="sm">
          <TextButton type="button" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? t('automatic.less') : t('automatic.more', { count: hidden })}
          </TextButton>
        </chakra.div>
      )}
      {asked && (
        <StopDialog
          text={asked}
          busy={stop.isPending}
          onConfirm={() => stopSending(asked)}
          onClose={() => setAsked(null)}
        />
      )}
    </chakra.section>
  );
}
