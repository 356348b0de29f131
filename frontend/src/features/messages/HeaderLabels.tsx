import { chakra } from '@chakra-ui/react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Chip } from '@/components/Badge';
import { Button } from '@/components/Button';
import { Popover } from '@/components/Popover';
import type { Ticket } from '@/features/tickets/api';
import { reach } from '@/theme/screens';

/** The room of the button '+12' after the labels, in px. */
const MORE_PX = 44;
const GAP_PX = 6;

/** All labels have room: the usual case, for which nothing is rendered again. */
const ALL = { count: Infinity, end: 0 };

/** Which labels are on the first line; the others have wrapped out of sight. */
function measure(line: HTMLElement) {
  const labels = [...line.children].filter((each) => each instanceof HTMLElement);
  const top = labels[0]?.offsetTop ?? 0;
  const count = labels.findIndex(({ offsetTop, offsetHeight }) => offsetTop >= top + offsetHeight);
  if (count < 0) return ALL;
  const last = labels[count - 1];
  return { count, end: last ? last.offsetLeft + last.offsetWidth + GAP_PX : 0 };
}

/** The queue and the tags on one line; what has no room is behind a button with its number. */
export function HeaderLabels({ ticket: { queue, tags } }: { ticket: Ticket }) {
  const { t } = useTranslation('messages');
  const line = useRef<HTMLDivElement>(null);
  const [{ count, end }, setFit] = useState(ALL);
  const names = [queue?.name, ...tags.map(({ name }) => name)].join();
  useLayoutEffect(() => {
    const element = line.current;
    if (!element) return;
    const look = () => {
      const now = measure(element);
      setFit((before) => (before.count === now.count && before.end === now.end ? before : now));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
    // With the button there is less room: measured again.
  }, [names, count]);
  const labels = [
    <Chip key="queue" colour={queue?.color ?? 'currentColor'} shape="queue">
      {queue?.name ?? t('activities.noQueue')}
    </Chip>,
    ...tags.map(({ id, name, color }) => (
      <Chip key={id} colour={color} shape="tag">
        {name}
      </Chip>
    )),
  ];
  const hidden = labels.slice(count);
  return (
    <chakra.div position="relative" flex="0 1 auto" minW="0" display="flex">
      <chakra.div
        ref={line}
        display="flex"
        flexWrap="wrap"
        gap={`${GAP_PX}px`}
        h="6"
        minW="0"
        overflow="hidden"
        css={{ '& > *': { flexShrink: 0, maxWidth: 'min(240px, 100%)' } }}
        {...(hidden.length > 0 && { pe: `${MORE_PX}px` })}
        role="group"
        aria-label={t('labels')}
      >
        {labels}
      </chakra.div>
      {hidden.length > 0 && (
        <chakra.div position="absolute" insetBlock="0" style={{ insetInlineStart: end }}>
          <Popover
            label={t('labels')}
            placement="bottom-start"
            width="min(320px, calc(100vw - 32px))"
            trigger={
              <Button
                variant="ghost"
                size="sm"
                h="6"
                px="1.5"
                css={reach}
                textStyle="xs"
                fontVariantNumeric="tabular-nums"
                aria-label={t('moreLabels', { count: hidden.length })}
                data-tooltip={t('moreLabels', { count: hidden.length })}
              >
                +{hidden.length}
              </Button>
            }
          >
            <chakra.div display="flex" flexWrap="wrap" gap="1.5">
              {hidden}
            </chakra.div>
          </Popover>
        </chakra.div>
      )}
    </chakra.div>
  );
}
