import { chakra } from '@chakra-ui/react';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useId, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '@/components/Badge';
import { CopyLine } from '@/components/CopyLine';

interface LogRowProps {
  id: number;
  tone: 'live' | 'danger' | 'waiting';
  /** The outcome, as a word or a status code. */
  outcome: ReactNode;
  event: string;
  /** The number of attempts, beside the event. */
  tries: ReactNode;
  /** The duration and the time. */
  when: ReactNode;
  /** The reason of a failure; '' if there was none. */
  problem: string;
  /** The action on the row. */
  action: ReactNode;
  address: string;
  request: unknown;
  response: string;
}

/** A delivery in a log: its outcome in one line; expanded, the request and the response. */
export function LogRow(props: LogRowProps) {
  const { t } = useTranslation('integrations');
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  return (
    <chakra.li borderWidth="1px" borderRadius="md" bg="bg.surface">
      <chakra.div display="flex" alignItems="center" gap="2" pe="2">
        <chakra.button
          type="button"
          flex="1"
          minW="0"
          display="flex"
          alignItems="center"
          gap="2"
          minH="11"
          px="3"
          py="1.5"
          textStyle="sm"
          textAlign="start"
          cursor="pointer"
          borderRadius="md"
          _hover={{ bg: 'bg.hover' }}
          _focusVisible={{ outline: '2px solid', outlineColor: 'brand.fg' }}
          aria-expanded={isOpen}
          aria-controls={panelId}
          onClick={() => setOpen(!isOpen)}
        >
          <chakra.span flexShrink="0">
            {isOpen ? (
              <ChevronDown size={16} aria-hidden />
            ) : (
              <ChevronRight size={16} aria-hidden />
            )}
          </chakra.span>
          <chakra.span
            flex="1"
            minW="0"
            display="flex"
            alignItems="center"
            flexWrap="wrap"
            columnGap="2"
            rowGap="0.5"
          >
            <chakra.span display="flex" alignItems="center" gap="2" minW="0" maxW="full">
              <Badge tone={props.tone}>{props.outcome}</Badge>
              <chakra.span fontWeight="medium" truncate>
                {props.event}
              </chakra.span>
            </chakra.span>
            <chakra.span
              flex="1"
              minW={{ base: 'full', sm: 'auto' }}
              display="flex"
              gap="2"
              justifyContent="space-between"
              textStyle="xs"
              color="fg.muted"
              fontVariantNumeric="tabular-nums"
              whiteSpace="nowrap"
            >
              <span>{props.tries}</span>
              <chakra.span order={{ base: '-1', sm: '0' }} truncate>
                {props.when}
              </chakra.span>
            </chakra.span>
            {props.problem && (
              <chakra.span
                // Two lines on a narrow screen, until it is opened.
                display={{ base: isOpen ? 'block' : 'none', sm: 'block' }}
                w="full"
                textStyle="xs"
                color="status.danger.fg"
                overflowWrap="anywhere"
              >
                {props.problem}
              </chakra.span>
            )}
          </chakra.span>
        </chakra.button>
        {props.action}
      </chakra.div>
      {isOpen && (
        <chakra.div
          id={panelId}
          role="region"
          aria-label={t('log.details', { id: props.id })}
          display="grid"
          gap="3"
          p="3"
          borderTopWidth="1px"
        >
          <chakra.p textStyle="xs" color="fg.muted" overflowWrap="anywhere">
            {props.address}
          </chakra.p>
          <Part label={t('log.request')} text={JSON.stringify(props.request, null, 2)} />
          <Part label={t('log.response')} text={readable(props.response)} />
        </chakra.div>
      )}
    </chakra.li>
  );
}

function Part({ label, text }: { label: string; text: string }) {
  const { t } = useTranslation('integrations');
  return (
    <chakra.section minW="0">
      <chakra.h3 textStyle="xs" fontWeight="semibold" mb="1">
        {label}
      </chakra.h3>
      {text ? (
        <CopyLine block wrap text={text} label={t('log.copy')} />
      ) : (
        <chakra.p textStyle="xs" color="fg.muted">
          {t('log.noBody')}
        </chakra.p>
      )}
    </chakra.section>
  );
}

/** JSON with its lines; anything else as it came. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
